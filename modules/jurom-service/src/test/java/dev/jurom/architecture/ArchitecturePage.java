// SPDX-License-Identifier: Apache-2.0
package dev.jurom.architecture;

import dev.jurom.fixture.Command;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** What {@code docs/architecture.md} says, for tests that hold it against the code. */
final class ArchitecturePage {

    private static final Pattern PACKAGE_ROW = Pattern.compile("(?m)^\\| `(dev\\.jurom[a-z.]*)` \\| (yes|no) \\|");
    private static final Pattern PATH = Pattern.compile("`([\\w.-]+(?:/[\\w.-]*)+)`");

    private final String text = text();

    /**
     * A row of its table of packages, which goes from the ground up.
     *
     * @param name the package's
     * @param supported whether it is for others to use
     */
    record Row(String name, boolean supported) {

        /** The package of the floor that this one is on. */
        String floor() {
            var segments = name.split("\\.");
            return segments.length <= 3 ? name : String.join(".", segments[0], segments[1], segments[2]);
        }
    }

    private static String text() {
        try {
            return Files.readString(Command.ROOT.resolve("docs/architecture.md"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<Row> packages() {
        return PACKAGE_ROW
                .matcher(text)
                .results()
                .map(row -> new Row(row.group(1), row.group(2).equals("yes")))
                .toList();
    }

    /** The floors, from the ground up. */
    List<String> floors() {
        return packages().stream().map(Row::floor).distinct().toList();
    }

    /** All files and folders that it names. */
    List<String> paths() {
        return PATH.matcher(text)
                .results()
                .map((MatchResult path) -> path.group(1))
                .toList();
    }
}
