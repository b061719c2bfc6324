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

/** What a proof prints, line by line, kept for docs/reliability.md. Of one thread. */
public final class Transcript {

    /** The repository, as scripts/urom knows it. */
    private static final Path ROOT = Path.of(System.getProperty("jurom.source", ""));

    private final Output output;
    private final List<String> lines = new ArrayList<>();

    /** Prints to {@code output}. */
    public Transcript(Output output) {
        this.output = output;
    }

    /** A file of the repository. */
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
     * Puts all that was said into the page.
     *
     * @param section of the page
     * @param heading of the section, as the page has it
     * @param command the line that printed it
     * @param after what stands below it, in Markdown
     */
    public void write(String section, String heading, String command, String after) {
        var page = file("docs/reliability.md");
        if (!Files.exists(page)) {
            throw new CommandFailure(ExitCode.FILE, page + " is not there: --write is for a copy of the repository");
        }
        ReliabilityPage.write(
                page,
                section,
                "## " + heading + "\n\n```\n$ " + command + "\n"
                        + String.join("\n", lines).strip() + "\n```\n" + after);
    }
}
