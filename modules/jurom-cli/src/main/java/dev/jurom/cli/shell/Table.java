// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.shell;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A table, printed as aligned text or as one JSON object per row. This class is not thread-safe.
 */
public final class Table {

    private static final String GAP = "  ";

    private final List<String> columns;
    private final List<List<Object>> rows = new ArrayList<>();

    private Table(List<String> columns) {
        this.columns = columns;
    }

    /**
     * Creates a table without rows.
     *
     * @param columns the names of the columns, which are JSON keys: lower case, with underscores
     * @return the table
     */
    public static Table of(String... columns) {
        return new Table(List.of(columns));
    }

    /**
     * Adds a row.
     *
     * @param cells a value for each column, which may be an {@link Optional} or a list
     * @return this table
     * @throws IllegalArgumentException if there is not one cell for each column
     */
    public Table row(Object... cells) {
        if (cells.length != columns.size()) {
            throw new IllegalArgumentException(cells.length + " cells for the columns " + columns);
        }
        rows.add(List.of(cells));
        return this;
    }

    /**
     * Copies the table without a column.
     *
     * @param column the name of an existing column
     * @return the copy
     */
    public Table without(String column) {
        var at = columns.indexOf(column);
        var kept = new Table(remove(columns, at));
        rows.forEach(row -> kept.rows.add(remove(row, at)));
        return kept;
    }

    private static <T> List<T> remove(List<T> list, int at) {
        var kept = new ArrayList<>(list);
        kept.remove(at);
        return List.copyOf(kept);
    }

    /** {@return whether the table has no rows} */
    public boolean isEmpty() {
        return rows.isEmpty();
    }

    /** Returns the rows as JSON objects. */
    List<Map<String, Object>> objects() {
        var objects = new ArrayList<Map<String, Object>>();
        for (var row : rows) {
            var object = new LinkedHashMap<String, Object>();
            for (var i = 0; i < row.size(); i++) {
                object.put(columns.get(i), row.get(i));
            }
            objects.add(object);
        }
        return objects;
    }

    /**
     * Formats the rows as aligned text below a line of names. Numbers are right-aligned.
     *
     * @return the lines, at least that of the names
     */
    public List<String> lines() {
        var names = columns.stream().map(name -> name.replace('_', ' ')).toList();
        var widths = names.stream().mapToInt(String::length).toArray();
        for (var row : rows) {
            for (var i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], text(row.get(i)).length());
            }
        }
        var lines = new ArrayList<String>();
        lines.add(line(names, widths));
        rows.forEach(row -> lines.add(line(row, widths)));
        return lines;
    }

    private String line(List<?> cells, int[] widths) {
        var line = new StringBuilder();
        for (var i = 0; i < widths.length; i++) {
            var text = text(cells.get(i));
            var padding = " ".repeat(widths[i] - text.length());
            line.append(i == 0 ? "" : GAP).append(isNumeric(i) ? padding + text : text + padding);
        }
        return line.toString().stripTrailing();
    }

    private boolean isNumeric(int column) {
        return !rows.isEmpty()
                && rows.stream()
                        .map(row -> row.get(column))
                        .allMatch(cell -> cell instanceof Number
                                || cell instanceof Optional<?> it
                                        && it.map(Number.class::isInstance).orElse(true));
    }

    /** Returns a value as text. */
    static String text(Object value) {
        return switch (value) {
            case Optional<?> optional -> optional.map(Table::text).orElse("-");
            case List<?> list ->
                list.isEmpty() ? "-" : list.stream().map(Table::text).collect(Collectors.joining(", "));
            default -> printable(value.toString());
        };
    }

    /**
     * Replaces control characters, since names may come from files and other processes and must
     * not control the terminal.
     */
    private static String printable(String text) {
        return text.codePoints()
                .map(c -> Character.isISOControl(c) || Character.getType(c) == Character.FORMAT ? '?' : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
