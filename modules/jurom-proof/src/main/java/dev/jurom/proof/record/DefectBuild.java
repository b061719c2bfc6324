// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.record;

import dev.jurom.cli.shell.CommandFailure;
import dev.jurom.cli.shell.ExitCode;
import dev.jurom.proof.record.Defect.Language;
import dev.jurom.proof.woven.WovenJar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Builds the sources with a defect: the C code with fault points, or the classes of the changed Java files.
 */
final class DefectBuild {

    /**
     * The build that runs use instead of the original one.
     *
     * @param root the folder whose {@code target} contains the C code with fault points
     * @param classPath the class path, starting with the changed classes
     */
    record Built(Path root, String classPath) {}

    private final ScratchCopy copy;
    private final Path root;

    /** {@code root} is the repository, in which scripts/build-faults was run. */
    DefectBuild(ScratchCopy copy, Path root) {
        this.copy = copy;
        this.root = root;
    }

    /** Builds a copy of the sources with the defect, then removes the defect from the copy. */
    Built build(Defect defect) throws IOException, InterruptedException {
        copy.refresh();
        var problem = Patching.apply(copy.folder(), defect.patch());
        if (problem.isPresent()) {
            throw new CommandFailure(ExitCode.FILE, defect.patch() + " does not apply: " + problem.get());
        }
        try {
            var usual = System.getProperty("java.class.path");
            return defect.language() == Language.C
                    ? new Built(buildC(), usual)
                    : new Built(root, compile(defect) + ":" + usual);
        } finally {
            Patching.revert(copy.folder(), defect.patch());
        }
    }

    private Path buildC() throws IOException, InterruptedException {
        run(List.of(copy.folder().resolve("scripts/build-faults").toString()));
        return copy.folder();
    }

    private Path compile(Defect defect) throws IOException, InterruptedException {
        var classes = copy.folder().resolve("target/classes-" + defect.name());
        Files.createDirectories(classes);
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "javac").toString(),
                "-nowarn",
                "-proc:none",
                "-d",
                classes.toString(),
                "-cp",
                System.getProperty("java.class.path")));
        Files.readString(defect.patch())
                .lines()
                .filter(line -> line.startsWith("+++ b/"))
                .forEach(line -> command.add(line.substring("+++ b/".length())));
        run(command);
        run(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                classes + ":" + System.getProperty("java.class.path"),
                WovenJar.class.getName(),
                classes.resolve(WovenJar.NAME).toString()));
        return classes;
    }

    private void run(List<String> command) throws IOException, InterruptedException {
        var builder =
                new ProcessBuilder(command).directory(copy.folder().toFile()).redirectErrorStream(true);
        var process = builder.start();
        var output = new String(process.getInputStream().readAllBytes());
        if (process.waitFor() != 0) {
            throw new CommandFailure(ExitCode.FILE, "the build with the defect failed: " + output.strip());
        }
    }
}
