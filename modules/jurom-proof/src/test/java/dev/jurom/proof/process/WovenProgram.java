// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.process;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Java programs with woven classes and the software DOCA. */
public final class WovenProgram {

    /** The woven classes of the build. */
    public static final Path JAR =
            Path.of(System.getProperty("jurom.source"), "modules/jurom-proof/target/jurom-woven.jar");

    private WovenProgram() {}

    /**
     * Returns a builder of a process whose standard error goes to its standard output.
     *
     * @param woven the folder or jar of woven classes, which precede others
     */
    public static ProcessBuilder of(Path woven, Class<?> main, List<String> options, List<String> arguments) {
        var words = new ArrayList<>(List.of(
                System.getProperty("java.home") + "/bin/java",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Djurom.runtime=software",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                woven + File.pathSeparator + System.getProperty("java.class.path")));
        words.addAll(options);
        words.add(main.getName());
        words.addAll(arguments);
        return new ProcessBuilder(words).redirectErrorStream(true);
    }
}
