// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.faults;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** Converts between nanoseconds and text such as {@code 250ms}. */
final class Nanoseconds {

    static final long YEAR = 365L * 24 * 3600 * 1_000_000_000;

    private static final Pattern TIME = Pattern.compile("(-?\\d{1,18})(ns|us|ms|s)");
    private static final Map<String, Long> UNITS = units();

    private Nanoseconds() {}

    private static Map<String, Long> units() {
        var units = new LinkedHashMap<String, Long>(); // the largest unit first
        units.put("s", 1_000_000_000L);
        units.put("ms", 1_000_000L);
        units.put("us", 1_000L);
        units.put("ns", 1L);
        return units;
    }

    /** Parses a time, or returns empty if the word is not a time. */
    static OptionalLong parse(String word) {
        var matcher = TIME.matcher(word);
        if (!matcher.matches()) {
            return OptionalLong.empty();
        }
        try {
            return OptionalLong.of(Math.multiplyExact(Long.parseLong(matcher.group(1)), UNITS.get(matcher.group(2))));
        } catch (ArithmeticException e) { // out of range
            return OptionalLong.empty();
        }
    }

    /** Formats a time in the largest unit that loses no digits. */
    static String text(long nanoseconds) {
        for (var unit : UNITS.entrySet()) {
            if (nanoseconds % unit.getValue() == 0 && nanoseconds != 0) {
                return nanoseconds / unit.getValue() + unit.getKey();
            }
        }
        return nanoseconds + "ns";
    }
}
