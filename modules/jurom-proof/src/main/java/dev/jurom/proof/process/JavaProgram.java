// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.process;

import java.util.ArrayList;
import java.util.List;

/** The command line of a Java program with the class path of this process. */
public final class JavaProgram {

    private static final String SOFTWARE_PATH = "jurom.software.path";

    private JavaProgram() {}

    /**
     * Returns the words for a {@link ProcessBuilder}.
     *
     * @param main the class to run
     * @param options the options of the JVM
     * @param arguments the arguments of the program
     */
    public static List<String> command(Class<?> main, List<String> options, List<String> arguments) {
        var words = new ArrayList<String>();
        words.add(System.getProperty("java.home") + "/bin/java");
        words.addAll(options);
        words.add("-Djurom.runtime=software");
        var path = System.getProperty(SOFTWARE_PATH);
        if (path != null && options.stream().noneMatch(it -> it.startsWith("-D" + SOFTWARE_PATH))) {
            words.add("-D" + SOFTWARE_PATH + "=" + path);
        }
        words.addAll(List.of(
                "--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"), main.getName()));
        words.addAll(arguments);
        return words;
    }
}
