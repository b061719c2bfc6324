// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.shell;

import java.io.PrintStream;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Option;

/**
 * Prints the data of a command as text, or with {@code --json} as one JSON value per line. Data go
 * to standard output, remarks and progress to standard error.
 */
public final class Output {

    @Option(names = "--json", description = "Print JSON instead of text.")
    private boolean json;

    Output() {} // created by picocli

    /** {@return whether to print JSON rather than text} */
    public boolean isJson() {
        return json;
    }

    /**
     * Prints a table: as text, or one JSON object per row in an array.
     *
     * @param table the table
     */
    public void print(Table table) {
        if (json) {
            out().println(Json.of(table));
        } else {
            table.lines().forEach(out()::println);
        }
    }

    /**
     * Prints named values; tables are printed below their names. Names are as in {@link Table#of}.
     *
     * @param values the values by name, in the order of the map
     */
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

    /**
     * Prints a line of a report; does nothing with {@code --json}.
     *
     * @param line the line, without its end
     */
    public void printLine(String line) {
        if (!json) {
            out().println(line);
        }
    }

    /**
     * Prints a line of a report in the format of {@link String#format}; does nothing with {@code
     * --json}.
     *
     * @param format the format
     * @param values the arguments of the format
     */
    public void printLine(String format, Object... values) {
        printLine(String.format(Locale.ROOT, format, values));
    }

    /**
     * Prints a remark on standard error; does nothing with {@code --json}.
     *
     * @param line the line, without its end
     */
    public void remark(String line) {
        if (!json) {
            System.err.println(line);
        }
    }

    private static PrintStream out() {
        return System.out;
    }
}
