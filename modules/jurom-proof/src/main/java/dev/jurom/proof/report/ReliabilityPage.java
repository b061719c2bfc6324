// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.report;

import dev.jurom.cli.shell.CommandFailure;
import dev.jurom.cli.shell.ExitCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** docs/reliability.md, which has a section for the output of each command of this module. */
public final class ReliabilityPage {

    private ReliabilityPage() {}

    /**
     * Replaces the text between the markers of a section.
     *
     * @param page the file of the page
     * @param section the name in the markers {@code <!-- begin NAME -->} and {@code <!-- end NAME -->}
     * @param text the new text, in Markdown
     */
    public static void write(Path page, String section, String text) {
        try {
            var before = Files.readString(page);
            var begin = "<!-- begin " + section + " -->\n";
            var from = before.indexOf(begin);
            var to = before.indexOf("<!-- end " + section + " -->", Math.max(from, 0));
            if (from < 0 || to < 0) {
                throw new CommandFailure(
                        ExitCode.FILE,
                        page + " has no section " + section
                                + ": add the lines <!-- begin " + section + " --> and <!-- end "
                                + section + " -->");
            }
            Files.writeString(
                    page,
                    before.substring(0, from + begin.length()) + "\n" + text.strip() + "\n\n" + before.substring(to));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
