// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.plan;

import java.util.HashMap;
import java.util.Map;

/**
 * A line {@code VERB name=value name=value ...} of the protocol between the processes of a run.
 *
 * @param verb the first word
 * @param values the values by their names
 */
public record KeyValueLine(String verb, Map<String, String> values) {

    /** Parses a line; words without a value are ignored. */
    public static KeyValueLine parse(String line) {
        var words = line.split(" ");
        var values = new HashMap<String, String>();
        for (var word : words) {
            var equals = word.indexOf('=');
            if (equals > 0) {
                values.put(word.substring(0, equals), word.substring(equals + 1));
            }
        }
        return new KeyValueLine(words[0], values);
    }

    /** Returns a required value. */
    public String text(String name) {
        var value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException("line '" + verb + " ...' lacks " + name + "=: " + values);
        }
        return value;
    }

    /** Returns a required number. */
    public int number(String name) {
        return Integer.parseInt(text(name));
    }
}
