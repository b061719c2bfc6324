// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.record;

import dev.jurom.cli.shell.CommandFailure;
import dev.jurom.cli.shell.ExitCode;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Reads the coverage of C from a build with {@code -DJUROM_COVERAGE=ON}. Files are relative to the root of the
 * repository, where gcov runs. Objects that no program linked are included.
 */
final class GcovReport {

    private static final int FILES_A_RUN = 100;
    private static final Pattern LINE = Pattern.compile("\\s*([^:]+):\\s*(\\d+):(.*)");
    private static final String SOURCE = "Source:";

    private GcovReport() {}

    /** Adds the lines below {@code src/main/c} that a build has compiled. */
    static void read(Path root, Path build, SourceLines lines) throws IOException {
        List<String> notes;
        try (var files = Files.walk(build)) {
            notes = files.map(Path::toString)
                    .filter(name -> name.endsWith(".gcno"))
                    .sorted()
                    .toList();
        }
        if (notes.isEmpty()) {
            throw new CommandFailure(
                    ExitCode.FILE,
                    build + " has no .gcno files: build it with " + "scripts/build-native " + build
                            + " -DJUROM_COVERAGE=ON -DJUROM_TESTS=ON");
        }
        for (var from = 0; from < notes.size(); from += FILES_A_RUN) {
            run(root, notes.subList(from, Math.min(from + FILES_A_RUN, notes.size())), lines);
        }
    }

    private static void run(Path root, List<String> notes, SourceLines lines) throws IOException {
        var command = new ArrayList<>(List.of("gcov", "--stdout", "--relative-only"));
        command.addAll(notes);
        var gcov = new ProcessBuilder(command)
                .directory(root.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (var output = gcov.inputReader()) {
            parse(output, lines);
        } finally {
            gcov.destroy();
        }
    }

    /** Parses "count: number: text"; line number 0 contains the name of the file. */
    static void parse(BufferedReader output, SourceLines lines) throws IOException {
        var file = "";
        for (var text = output.readLine(); text != null; text = output.readLine()) {
            var match = LINE.matcher(text);
            if (!match.matches()) {
                continue;
            }
            var count = match.group(1);
            var number = Integer.parseInt(match.group(2));
            if (number == 0 && match.group(3).startsWith(SOURCE)) {
                file = match.group(3).substring(SOURCE.length());
            } else if (number > 0 && !count.equals("-") && file.startsWith("src/main/c/")) {
                lines.add(file, number, Character.isDigit(count.charAt(0)));
            }
        }
    }
}
