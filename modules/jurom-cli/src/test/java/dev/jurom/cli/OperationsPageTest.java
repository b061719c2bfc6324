// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.Command;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests the statements of docs/operations.md. */
class OperationsPageTest {

    private static final Path PAGE = Command.ROOT.resolve("docs/operations.md");
    private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");
    private static final Pattern QUOTED_IN_CODE = Pattern.compile("\"([^\"]+)\"");
    /** Names of values that JSON does not have. */
    private static final Set<String> OF_TEXT = Set.of(
            "application_CPU",
            "commands/s",
            "cpu%",
            "in_process",
            "latency",
            "mem_MiB",
            "one_worker",
            "p50_us",
            "p99_us");

    private static final Set<String> RESULTS = Set.of("pass", "warn", "fail");
    private static final int SHORTEST = 10; // minimum length of a compared piece of a message

    /** Returns the first cells of the rows of a section's tables. */
    private static List<String> firstCells(String heading) throws IOException {
        var text = Files.readString(PAGE);
        var section = text.substring(text.indexOf("\n## " + heading));
        var end = section.indexOf("\n## ", 1);
        return section.substring(0, end < 0 ? section.length() : end)
                .lines()
                .filter(line -> line.startsWith("| ") && !line.startsWith("| message"))
                .map(line -> line.split("(?<!\\\\)\\|")[1].strip())
                .toList();
    }

    /** Returns all sources, with string literals that span several lines joined. */
    private static String sources() throws IOException {
        var text = new StringBuilder();
        for (var root : List.of("src/main", "modules/jurom-service/src/main", "modules/jurom-cli/src/main")) {
            try (var files = Files.walk(Command.ROOT.resolve(root))) {
                files.filter(file -> file.toString().matches(".*[.](java|c)")).forEach(file -> text.append(read(file)));
            }
        }
        return text.toString().replaceAll("\"\\s*\\+?\\s*\"", "").replace("\\\"", "\"");
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void each_documented_json_field_exists_and_no_other() throws IOException {
        var text = Files.readString(PAGE);
        var table = text.substring(text.indexOf("| command with `--json` |"));
        var documented = QUOTED.matcher(table.substring(0, table.indexOf("\n\n")))
                .results()
                .map(match -> match.group(1))
                .filter(name -> name.matches("[a-z0-9_]+"))
                .collect(Collectors.toSet());
        var code = sources();
        var columns = Pattern.compile("Table\\.of\\(([^)]*)\\)|values\\.put\\(\\s*(\"[^\"]*\")")
                .matcher(code)
                .results()
                .flatMap(match -> QUOTED_IN_CODE
                        .matcher(match.group(1) != null ? match.group(1) : match.group(2))
                        .results())
                .map(match -> match.group(1))
                .collect(Collectors.toSet());

        var missing = new TreeSet<>(columns);
        missing.removeAll(documented);
        assertEquals(new TreeSet<>(OF_TEXT), missing, "not documented");
        assertEquals(
                List.of(),
                documented.stream()
                        .filter(name -> !RESULTS.contains(name) && !code.contains('"' + name + '"'))
                        .toList(),
                "not printed");
    }

    @Test
    void each_quoted_message_exists() throws IOException {
        var sources = sources();
        var missing = new ArrayList<String>();
        var pieces = 0;
        for (var cell : firstCells("By error message")) {
            var quotes = QUOTED.matcher(cell)
                    .results()
                    .map(match -> match.group(1))
                    .filter(quote -> quote.contains(" "))
                    .toList();
            for (var piece : quotes.stream()
                    .flatMap(quote -> Stream.of(quote.split("[.]{3}")))
                    .map(String::strip)
                    .filter(piece -> piece.length() >= SHORTEST)
                    .toList()) {
                pieces++;
                if (!sources.contains(piece)) {
                    missing.add(piece);
                }
            }
        }
        assertTrue(pieces > 25, "only " + pieces + " pieces of messages are there");
        assertEquals(List.of(), missing);
    }

    @Test
    void its_exit_codes_are_those_of_the_command() throws IOException {
        var help = Programs.urom("--help").output();
        var codes = firstCells("Commands").stream()
                .filter(cell -> cell.matches("\\d+"))
                .toList();

        assertEquals(
                help.substring(help.indexOf("Exit codes:"))
                        .lines()
                        .skip(1)
                        .map(line -> line.strip().split(" ")[0])
                        .toList(),
                codes);
    }
}
