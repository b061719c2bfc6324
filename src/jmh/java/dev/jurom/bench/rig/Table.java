// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A table in Markdown with aligned columns. */
public final class Table {

    private final List<List<String>> rows = new ArrayList<>();

    /**
     * Creates a table without rows.
     *
     * @param head the names of the columns
     */
    public Table(String... head) {
        rows.add(List.of(head));
    }

    /**
     * Adds a row.
     *
     * @param cells the cells, one per column
     * @return this
     */
    public Table row(String... cells) {
        if (cells.length != rows.getFirst().size()) {
            throw new IllegalArgumentException("expected " + rows.getFirst().size() + " cells, got " + cells.length);
        }
        rows.add(List.of(cells));
        return this;
    }

    @Override
    public String toString() {
        var lines = new ArrayList<>(rows.stream().map(this::line).toList());
        lines.add(
                1,
                IntStream.range(0, rows.getFirst().size())
                        .mapToObj(column -> "-".repeat(width(column) + 2))
                        .collect(Collectors.joining("|", "|", "|")));
        return String.join("\n", lines) + "\n";
    }

    private String line(List<String> cells) {
        return IntStream.range(0, cells.size())
                .mapToObj(column -> pad(cells.get(column), width(column)))
                .collect(Collectors.joining(" | ", "| ", " |"));
    }

    private int width(int column) {
        return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
    }

    private static String pad(String text, int width) {
        return text + " ".repeat(width - text.length());
    }
}
