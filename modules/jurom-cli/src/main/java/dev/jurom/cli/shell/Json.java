// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.shell;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Writes values as JSON text: maps in their order, lists, tables, numbers, booleans, and any other
 * value by its {@code toString}. Null, an empty optional and a number that is not finite are
 * written as null.
 */
public final class Json {

    private Json() {}

    /**
     * Converts a value to JSON.
     *
     * @param value the value, which may be null
     * @return the text, in one line
     */
    public static String of(Object value) {
        var text = new StringBuilder();
        append(text, value);
        return text.toString();
    }

    private static void append(StringBuilder text, Object value) {
        switch (value) {
            case null -> text.append("null");
            case Optional<?> optional -> append(text, optional.orElse(null));
            case Double number when !Double.isFinite(number) -> text.append("null");
            case Number number -> text.append(number);
            case Boolean truth -> text.append(truth);
            case Table table -> append(text, table.objects());
            case Map<?, ?> map -> appendMap(text, map);
            case List<?> list -> appendList(text, list);
            default -> appendString(text, value.toString());
        }
    }

    private static void appendMap(StringBuilder text, Map<?, ?> map) {
        var separator = "{";
        for (var entry : map.entrySet()) {
            text.append(separator);
            appendString(text, entry.getKey().toString());
            text.append(": ");
            append(text, entry.getValue());
            separator = ", ";
        }
        text.append(map.isEmpty() ? "{}" : "}");
    }

    private static void appendList(StringBuilder text, List<?> list) {
        var separator = "[";
        for (var value : list) {
            text.append(separator);
            append(text, value);
            separator = ", ";
        }
        text.append(list.isEmpty() ? "[]" : "]");
    }

    private static void appendString(StringBuilder text, String value) {
        text.append('"');
        for (var i = 0; i < value.length(); i++) {
            var c = value.charAt(i);
            if (c == '"' || c == '\\') {
                text.append('\\').append(c);
            } else if (c < ' ' || c == 0x7f || Character.isSurrogate(c)) {
                text.append("\\u%04x".formatted((int) c));
            } else {
                text.append(c);
            }
        }
        text.append('"');
    }
}
