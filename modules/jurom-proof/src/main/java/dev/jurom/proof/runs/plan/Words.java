// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.plan;

import java.util.HashMap;
import java.util.Map;

/**
 * A line {@code VERB name=value name=value ...}, as the processes of a run talk.
 *
 * @param verb the first word
 * @param values the others, by their names
 */
public record Words(String verb, Map<String, String> values) {

    /** Reads a line; words without a value mean nothing. */
    public static Words parse(String line) {
        var words = line.split(" ");
        var values = new HashMap<String, String>();
        for (var word : words) {
            var equals = word.indexOf('=');
            if (equals > 0) {
                values.put(word.substring(0, equals), word.substring(equals + 1));
            }
        }
        return new Words(words[0], values);
    }

    /** A value that is there. */
    public String text(String name) {
        var value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException("a line '" + verb + " ...' lacks " + name + "=: " + values);
        }
        return value;
    }

    /** A number that is there. */
    public int number(String name) {
        return Integer.parseInt(text(name));
    }
}
