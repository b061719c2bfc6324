// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;

/**
 * docs/latency.md, which people write, with sections that the commands' output goes into. One
 * starts with the line {@code <!-- begin NAME -->} and ends with {@code <!-- end NAME -->}. Plots
 * go into a folder beside it.
 */
final class LatencyPage {

    private static final Path DOCS = Path.of(System.getProperty("jurom.source"), "docs");
    private static final Path FILE = DOCS.resolve("latency.md");

    /** The folder of its plots. */
    static final Path PLOTS = DOCS.resolve("plots");

    private LatencyPage() {}

    /** Puts what a command of {@code scripts/bench} has found into a section. */
    static void replace(String section, String command, String text) {
        var content = read();
        var begin = "<!-- begin " + section + " -->\n";
        var end = "<!-- end " + section + " -->\n";
        var from = content.indexOf(begin);
        var to = content.indexOf(end);
        if (from < 0 || to < from) {
            throw new IllegalStateException(FILE + " lacks the section \"" + section + "\": put the lines "
                    + begin.strip() + " and " + end.strip() + " into it");
        }
        write(
                FILE,
                content.substring(0, from) + begin + "`scripts/bench " + command + "`, " + LocalDate.now() + ":\n\n"
                        + text.strip() + "\n" + content.substring(to));
    }

    private static String read() {
        try {
            return Files.readString(FILE);
        } catch (IOException e) {
            throw new UncheckedIOException(FILE + " could not be read", e);
        }
    }

    /** Writes a file, and makes its folder. */
    static void write(Path file, String content) {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.writeString(file, content);
        } catch (IOException e) {
            throw new UncheckedIOException(file + " could not be written", e);
        }
    }
}
