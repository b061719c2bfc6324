// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.shell;

import java.io.PrintStream;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Option;

/**
 * How a command prints data: for people, or with {@code --json} one JSON value a line. Data go to
 * standard output, remarks and progress to standard error.
 */
public final class Output {

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    /** Whether JSON is wanted. */
    public boolean isJson() {
        return json;
    }

    /** Prints rows. */
    public void print(Table table) {
        if (json) {
            out().println(Json.of(table));
        } else {
            table.lines().forEach(out()::println);
        }
    }

    /** Prints named values; those that are tables below their names. Names are as in a table. */
    public void print(Map<String, ?> values) {
        if (json) {
            out().println(Json.of(values));
            return;
        }
        var width = values.keySet().stream().mapToInt(String::length).max().orElse(0);
        values.forEach((name, value) -> {
            var heading = name.replace('_', ' ');
            if (value instanceof Table table) {
                out().println(table.isEmpty() ? padded(heading, width) + "  none" : heading);
                if (!table.isEmpty()) {
                    table.lines().forEach(line -> out().println("  " + line));
                }
            } else {
                out().println(padded(heading, width) + "  " + Table.text(value));
            }
        });
    }

    private static String padded(String text, int width) {
        return text + " ".repeat(width - text.length());
    }

    /** Prints a line of a report for people: not with {@code --json}. */
    public void say(String line) {
        if (!json) {
            out().println(line);
        }
    }

    /** As {@link #say(String)}, with values as {@link String#format} takes them. */
    public void say(String format, Object... values) {
        say(String.format(Locale.ROOT, format, values));
    }

    /** Says something that is no data: on standard error, and not with {@code --json}. */
    public void remark(String line) {
        if (!json) {
            System.err.println(line);
        }
    }

    private static PrintStream out() {
        return System.out;
    }
}
