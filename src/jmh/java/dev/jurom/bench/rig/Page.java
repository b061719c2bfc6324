// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;

/**
 * A page of docs with generated sections. A section starts with the line {@code <!-- begin NAME -->} and ends with
 * {@code <!-- end NAME -->}. The plots are in a folder beside the pages.
 */
enum Page {
    LATENCY("latency.md"),
    COMPRESSION("compression.md"),
    LUCENE("lucene.md"),
    MODEL("when-does-it-pay.md");

    private static final Path SOURCE = Path.of(System.getProperty("jurom.source"));
    private static final Path DOCS = SOURCE.resolve("docs");

    /** The folder of the plots. */
    static final Path PLOTS = DOCS.resolve("plots");

    private final Path file;

    Page(String name) {
        file = Path.of(System.getProperty("jurom.source"), "docs", name);
    }

    /** Returns a file of the repository. */
    static Path source(String name) {
        return SOURCE.resolve(name);
    }

    /** Replaces a section with the output of a command of {@code scripts/bench}, its date and the machine. */
    void replace(String section, String command, String text) {
        var content = read();
        var begin = "<!-- begin " + section + " -->\n";
        var end = "<!-- end " + section + " -->\n";
        var from = content.indexOf(begin);
        var to = content.indexOf(end);
        if (from < 0 || to < from) {
            throw new IllegalStateException(file + " lacks the section \"" + section + "\": add the lines "
                    + begin.strip() + " and " + end.strip());
        }
        write(
                file,
                content.substring(0, from) + begin + "`scripts/bench " + command + "`, " + LocalDate.now() + ", on "
                        + Machine.cores()
                        + ":\n\n"
                        + text.strip() + "\n" + content.substring(to));
    }

    private String read() {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    /** Writes a file and creates its folder. */
    static void write(Path file, String content) {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.writeString(file, content);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
    }
}
