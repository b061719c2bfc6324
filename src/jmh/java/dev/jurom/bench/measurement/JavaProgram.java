// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.measurement;

import dev.jurom.runtime.DocaRuntime;
import dev.jurom.runtime.RuntimeKind;
import dev.jurom.runtime.internal.SoftwareInstallation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Command lines of JVMs with the same options as this one. */
public final class JavaProgram {

    private static final int FIRST_WITH_UNSAFE_WARNINGS = 24;

    private JavaProgram() {}

    /**
     * Returns the command line of a program on the class path of this process.
     *
     * @param mainClass the main class
     * @param arguments the arguments of the program
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

    /** Returns the installation that this process uses. */
    private static String software() {
        return SoftwareInstallation.current().prefix().toString();
    }

    /** Returns the JVM options, including those for Netty and Agrona, which use Unsafe. */
    private static List<String> options() {
        var runtime = DocaRuntime.current();
        var options = new ArrayList<>(List.of(
                "-Xmx256m",
                "-Dagrona.disable.bounds.checks=true",
                "-Djurom.runtime=" + runtime.kind().name().toLowerCase(Locale.ROOT),
                "-Djurom.software.path=" + software(),
                "--enable-native-access=ALL-UNNAMED",
                "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED"));
        if (runtime.kind() == RuntimeKind.VENDOR) {
            options.add("-Djurom.library.path=" + runtime.directory());
        }
        if (Runtime.version().feature() >= FIRST_WITH_UNSAFE_WARNINGS) {
            options.add("--sun-misc-unsafe-memory-access=allow");
        }
        return options;
    }
}
