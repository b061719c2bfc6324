// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.process;

import dev.jurom.cli.shell.CommandFailure;
import dev.jurom.cli.shell.ExitCode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The C code and its test programs, built on demand. */
public final class NativePrograms {

    private static final int MINUTES = 20;
    private static final int SHOWN = 20; // lines of a failed build's output

    private static final String CORES = "8"; // of the simulated DPU

    private final Path folder;

    private NativePrograms(Path folder) {
        this.folder = folder;
    }

    /** Returns the repository in which this class was built. */
    public static Path repository() {
        var code = Path.of(URI.create(NativePrograms.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toString()));
        return code.getParent().resolve("../../..").normalize();
    }

    /**
     * Builds programs and libraries with their dependencies.
     *
     * @param targets the names of the CMake targets
     */
    public static NativePrograms build(String... targets) throws IOException, InterruptedException {
        var folder = repository().resolve("target/native-proof");
        run(
                "cmake",
                "-G",
                "Ninja",
                "-S",
                repository().resolve("src/main/c").toString(),
                "-B",
                folder.toString(),
                "-DJUROM_TESTS=ON");
        var words = new ArrayList<>(List.of("cmake", "--build", folder.toString(), "--target"));
        words.addAll(List.of(targets));
        run(words.toArray(String[]::new));
        return new NativePrograms(folder);
    }

    private static void run(String... words) throws IOException, InterruptedException {
        var log = Files.createTempFile("jurom-build", ".log");
        try {
            var process = new ProcessBuilder(words)
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            if (!process.waitFor(MINUTES, TimeUnit.MINUTES) || process.exitValue() != 0) {
                process.destroyForcibly();
                var lines = Files.readAllLines(log);
                throw new CommandFailure(
                        ExitCode.FILE,
                        "the build of the C code failed: " + String.join(" ", words) + ": "
                                + String.join("\n", lines.subList(Math.max(0, lines.size() - SHOWN), lines.size())));
            }
        } finally {
            Files.deleteIfExists(log);
        }
    }

    /**
     * Starts a service with the workers and the plugins of this build, and waits until it listens.
     *
     * @param service an empty folder for its files
     * @param options further options of urom-daemon
     */
    public ServiceProcess startService(Path service, List<String> options) throws IOException {
        var words =
                new ArrayList<>(List.of("--worker", file("worker/urom_worker").toString(), "--cores", CORES));
        words.addAll(options);
        return ServiceProcess.start(
                service,
                List.of("-Xmx128m"),
                Map.of("UROM_PLUGIN_PATH", file("plugins") + ";" + file("tests/plugins_under_test/good")),
                words);
    }

    /** Returns a file of the build, for example {@code worker/urom_worker}. */
    public Path file(String name) {
        return folder.resolve(name);
    }
}
