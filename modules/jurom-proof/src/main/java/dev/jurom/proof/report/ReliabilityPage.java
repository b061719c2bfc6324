// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.report;

import dev.jurom.cli.shell.CommandFailure;
import dev.jurom.cli.shell.ExitCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** docs/reliability.md: each command that proves something has a section of it for what it saw. */
public final class ReliabilityPage {

    private ReliabilityPage() {}

    /**
     * Puts a text between the marks of a section, in the place of what is there.
     *
     * @param page the file
     * @param section the name in {@code <!-- begin NAME -->} and {@code <!-- end NAME -->}
     * @param text in Markdown, as the page shall have it
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
                                + section + " --> where it shall stand");
            }
            Files.writeString(
                    page,
                    before.substring(0, from + begin.length()) + "\n" + text.strip() + "\n\n" + before.substring(to));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
