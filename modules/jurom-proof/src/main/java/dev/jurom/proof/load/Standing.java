// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.load;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * How a part of a crowd stands.
 *
 * @param part its name
 * @param asked how many connections it should have
 * @param open how many it has now
 * @param ends of the others: why they were refused or closed, and how many for that reason
 * @param note what else there is to say
 */
record Standing(String part, int asked, int open, Map<String, Integer> ends, String note) {

    private static final String FIELD = "\t";

    /** As one line of text, without line breaks. */
    String toLine() {
        return String.join(FIELD, part, Integer.toString(asked), Integer.toString(open), describe(), note)
                .replace('\n', ' ');
    }

    private String describe() {
        return ends.entrySet().stream()
                .map(end -> end.getValue() + " x " + end.getKey())
                .collect(Collectors.joining("; "));
    }

    /** The fields of such a line. */
    static List<String> fields(String line) {
        return List.of(line.split(FIELD, -1));
    }
}
