// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.process;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Java programs with woven classes, which use the software DOCA of the build. */
public final class WovenProgram {

    private static final Path ROOT = Path.of(System.getProperty("jurom.source"));

    /** The woven classes of the build. */
    public static final Path JAR = ROOT.resolve("modules/jurom-proof/target/jurom-woven.jar");

    private WovenProgram() {}

    /**
     * Returns a builder of a process whose standard error goes to its standard output.
     *
     * @param woven the folder or jar of woven classes, which precede others
     */
    public static ProcessBuilder of(Path woven, Class<?> main, List<String> options, List<String> arguments)
            throws IOException {
        var all = new ArrayList<>(List.of("-XX:+UseSerialGC"));
        try (var machines = Files.list(ROOT.resolve("target/software/META-INF/native"))) {
            all.add("-Djurom.software.path=" + machines.findFirst().orElseThrow());
        }
        all.addAll(options);
        var command = JavaProgram.command(main, all, arguments);
        var classPath = command.indexOf("-cp") + 1;
        command.set(classPath, woven + File.pathSeparator + command.get(classPath));
        return new ProcessBuilder(command).redirectErrorStream(true);
    }
}
