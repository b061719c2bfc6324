// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.Command;
import dev.jurom.fixture.ForkedJvm;
import dev.jurom.fixture.MarkdownPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the code of the page about flight recordings runs, and that its table lists all events. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FlightRecorderPageTest {

    private static final MarkdownPage PAGE = MarkdownPage.of("docs/jfr.md");
    private static final Pattern EVENT = Pattern.compile("@Name\\(\"(dev\\.jurom\\.\\w+)\"\\)");
    private static final Pattern FIELD =
            Pattern.compile("(?m)^ {4,8}(?:@Nullable )?(?:long|int|boolean|String) (\\w+);$");

    private Path folder;
    private List<String> steps;

    @BeforeAll
    void compile(@TempDir Path empty) throws IOException {
        folder = empty;
        PAGE.writeFiles(folder);
        steps = PAGE.fragments("sh");
        assertEquals(4, steps.size(), "record, view, print, watch");
        var library = Command.LIBRARY.toString();
        Files.writeString(folder.resolve("classpath"), Command.CLASS_PATH);
        shell("javac --release 22 -cp '" + library + "' *.java");
    }

    private String shell(String text) {
        var words = new ArrayList<>(List.of("env"));
        words.addAll(ForkedJvm.environment());
        words.addAll(List.of("bash", "-euo", "pipefail", "-c", "cd '" + folder + "'\n" + text));
        return Command.run(words);
    }

    @Test
    void recorded_events_are_displayed() {
        shell(steps.get(0));

        var view = shell(steps.get(1));
        assertTrue(view.contains("UROM Command"), view);
        assertEquals(
                1000,
                view.lines()
                        .filter(line -> line.matches(".* 1 +\\d+ 16 bytes 16 bytes SUCCESS *"))
                        .count(),
                view);
        var print = shell(steps.get(2));
        assertTrue(
                print.matches("(?s)dev.jurom.WorkerStart \\{.*running = true\\n  worker = 1\\n"
                        + ".*dev.jurom.WorkerStop \\{.*"),
                print);
    }

    @Test
    void a_program_sees_its_own_events_on_the_class_path_and_on_the_module_path() {
        var asModule = steps.get(3)
                .replace(
                        "ALL-UNNAMED", "dev.jurom --module-path '" + Command.MODULE_PATH + "' --add-modules dev.jurom");

        for (var step : List.of(steps.get(3), asModule)) {
            var output = shell(step);
            assertTrue(
                    output.matches("(?s).*100 commands, the slowest took [1-9]\\d*" + " microseconds at most\\n"),
                    output);
        }
        assertTrue(!asModule.equals(steps.get(3)));
    }

    @Test
    void the_table_has_every_event_with_every_field() throws IOException {
        var rows = Files.readAllLines(Command.ROOT.resolve("docs/jfr.md"));
        var events = 0;
        try (var files = Files.walk(Command.ROOT.resolve("src/main/java"))) {
            for (var file :
                    files.filter(path -> path.toString().endsWith("Event.java")).toList()) {
                var source = Files.readString(file);
                var name = EVENT.matcher(source);
                if (name.find()) {
                    events++;
                    var row = rows.stream()
                            .filter(line -> line.startsWith("| `" + name.group(1) + "` |"))
                            .findFirst()
                            .orElseThrow(() -> new AssertionError("no row for " + name.group(1)));
                    FIELD.matcher(source)
                            .results()
                            .map((MatchResult field) -> field.group(1))
                            .forEach(field ->
                                    assertTrue(row.contains("`" + field + "`"), () -> name.group(1) + "." + field));
                }
            }
        }
        assertEquals(
                events,
                rows.stream().filter(row -> row.startsWith("| `dev.jurom.")).count());
        assertTrue(events >= 4);
    }
}
