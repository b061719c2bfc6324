// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.jurom.fixture.Command;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests that the tests named in the threat model exist. */
class ThreatModelTest {

    /** {@code SomeTest}, {@code SomeTest.method} or {@code some_test.c: function}. */
    private static final Pattern NAMED = Pattern.compile("`(\\w+Test|\\w+_test\\.c)(?:(?:\\.|: )(\\w+))?`");

    @Test
    void each_named_test_exists() throws IOException {
        var names = NAMED.matcher(Files.readString(Command.ROOT.resolve("docs/threat-model.md")))
                .results()
                .toList();
        assertFalse(names.isEmpty());
        assertEquals(
                List.of(),
                names.stream()
                        .filter(name -> !exists(name))
                        .map(MatchResult::group)
                        .toList());
    }

    private static boolean exists(MatchResult name) {
        var file = name.group(1).endsWith(".c") ? name.group(1) : name.group(1) + ".java";
        return tests().filter(path -> path.endsWith(file))
                .anyMatch(path -> name.group(2) == null || text(path).contains(name.group(2) + "("));
    }

    private static Stream<Path> tests() {
        return Stream.of("src/test/java", "src/test/c", "modules").flatMap(folder -> {
            try {
                return Files.walk(Command.ROOT.resolve(folder));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
