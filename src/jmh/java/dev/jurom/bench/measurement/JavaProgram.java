// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.measurement;

import dev.jurom.runtime.internal.SoftwareInstallation;
import java.util.ArrayList;
import java.util.List;

/** How to start a JVM like this one. */
public final class JavaProgram {

    private static final int FIRST_WITH_UNSAFE_WARNINGS = 24;

    private JavaProgram() {}

    /**
     * The command line of a program on this process's class path.
     *
     * @param mainClass the program's class
     * @param arguments its arguments
     * @return a command for {@link ProcessBuilder}
     */
    public static List<String> command(String mainClass, List<String> arguments) {
        var command = new ArrayList<String>();
        command.add(System.getProperty("java.home") + "/bin/java");
        command.addAll(options());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), mainClass));
        command.addAll(arguments);
        return command;
    }

    /** The libraries, worker and plugins that this process uses, too. */
    private static String software() {
        return SoftwareInstallation.current().prefix().toString();
    }

    /** What the libraries that jurom is compared with want, too: Netty and Agrona use Unsafe. */
    private static List<String> options() {
        var options = new ArrayList<>(List.of(
                "-Xmx256m",
                "-Dagrona.disable.bounds.checks=true",
                "-Djurom.runtime=software",
                "-Djurom.software.path=" + software(),
                "--enable-native-access=ALL-UNNAMED",
                "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED"));
        if (Runtime.version().feature() >= FIRST_WITH_UNSAFE_WARNINGS) {
            options.add("--sun-misc-unsafe-memory-access=allow");
        }
        return options;
    }
}
