// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import dev.jurom.Urom;
import dev.jurom.fixture.Command;
import dev.jurom.nativelibraries.SoftwareFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import picocli.CommandLine;

/** The command lines of this module's programs, which run as modules, as the scripts start them. */
final class Programs {

    private Programs() {
    }

    /** Runs {@code urom}. */
    static Command.Result urom(String... arguments) {
        return Command.execute(uromWords(arguments));
    }

    /** The command line of {@code urom}. */
    static List<String> uromWords(String... arguments) {
        return words(UromCommand.class, arguments);
    }

    /** The command line of {@code urom-daemon}. */
    static List<String> daemonWords(String... arguments) {
        return words(UromDaemonMain.class, arguments);
    }

    private static List<String> words(Class<?> program, String... arguments) {
        var words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=dev.jurom", "--module-path", modulePath(),
                "--module", "dev.jurom.cli/" + program.getName()));
        words.addAll(List.of(arguments));
        return words;
    }

    private static String modulePath() {
        return Stream.of(UromCommand.class, Urom.class, SoftwareFiles.class, CommandLine.class,
                        Histogram.class)
                .map(type -> type.getProtectionDomain().getCodeSource().getLocation().getPath())
                .collect(Collectors.joining(":"));
    }
}
