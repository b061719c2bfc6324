// SPDX-License-Identifier: Apache-2.0
package dev.jurom.architecture;

import dev.jurom.fixture.Command;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The content of {@code docs/architecture.md}, for tests that compare it with the code. */
final class ArchitecturePage {

    private static final Pattern PACKAGE_ROW = Pattern.compile("(?m)^\\| `(dev\\.jurom[a-z.]*)` \\| (yes|no) \\|");
    private static final Pattern PATH = Pattern.compile("`([\\w.-]+(?:/[\\w.-]*)+)`");

    private static final Pattern EXAMPLE_FILE = Pattern.compile("(?m)^\\d+\\. `([^`]+)`: ");

    private final String text = text();

    /**
     * A row of the table of packages, ordered from the lowest layer.
     *
     * @param name the name of the package
     * @param supported whether it is public API
     */
    record Row(String name, boolean supported) {

        /** Returns the package that names the layer of this package. */
        String layer() {
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

    /** Returns the layers, starting with the lowest. */
    List<String> layers() {
        return packages().stream().map(Row::layer).distinct().toList();
    }

    /** Returns the files of a worked example: those of the numbered lines under a heading of the third level. */
    List<String> exampleFiles(String heading) {
        var begin = text.indexOf("\n### " + heading);
        if (begin < 0) {
            throw new AssertionError("docs/architecture.md has no section " + heading);
        }
        var end = text.indexOf("\n### ", begin + 1);
        var section = end < 0 ? text.substring(begin) : text.substring(begin, end);
        return EXAMPLE_FILE
                .matcher(section)
                .results()
                .map((MatchResult line) -> line.group(1))
                .toList();
    }

    /** Returns all files and folders in the page. */
    List<String> paths() {
        return PATH.matcher(text)
                .results()
                .map((MatchResult path) -> path.group(1))
                .toList();
    }
}
