// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.report;

import dev.jurom.cli.shell.CommandFailure;
import dev.jurom.cli.shell.ExitCode;
import dev.jurom.cli.shell.Output;
import dev.jurom.cli.shell.Table;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Prints lines and keeps them for docs/reliability.md. Not thread-safe. */
public final class Transcript {

    /** The repository, as set by scripts/urom. */
    private static final Path ROOT = Path.of(System.getProperty("jurom.source", ""));

    private final Output output;
    private final List<String> lines = new ArrayList<>();

    /** Creates a transcript that prints to {@code output}. */
    public Transcript(Output output) {
        this.output = output;
    }

    /** Returns a file of the repository. */
    public static Path file(String path) {
        return ROOT.resolve(path);
    }

    /** Prints a line and keeps it. */
    public void say(String format, Object... values) {
        var line = values.length == 0 ? format : String.format(Locale.ROOT, format, values);
        output.say("%s", line);
        lines.add(line);
    }

    /** Prints a table and keeps it. */
    public void say(Table table) {
        output.print(table);
        lines.addAll(table.lines());
    }

    /**
     * Writes all lines to the page.
     *
     * @param section the section of the page
     * @param heading the heading of the section
     * @param command the command that printed the lines
     * @param after further text of the section, in Markdown
     */
    public void write(String section, String heading, String command, String after) {
        var page = file("docs/reliability.md");
        if (!Files.exists(page)) {
            throw new CommandFailure(ExitCode.FILE, page + " does not exist: --write requires the repository");
        }
        ReliabilityPage.write(
                page,
                section,
                "## " + heading + "\n\n```\n$ " + command + "\n"
                        + String.join("\n", lines).strip() + "\n```\n" + after);
    }
}
