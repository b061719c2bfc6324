// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.shell;

import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Parses numbers with units in values of options, such as {@code 64M}, {@code 256KiB}, {@code 200ms} and {@code 2h}. */
public final class Quantity {

    private static final Pattern NUMBER = Pattern.compile("([0-9]{1,30}(?:\\.[0-9]{0,30})?|\\.[0-9]{1,30})\\s*(\\S*)");
    private static final long STEP = 1024; // of sizes

    private static final Map<String, BigDecimal> SECONDS = Map.of(
            "",
            BigDecimal.ONE,
            "ns",
            new BigDecimal("1e-9"),
            "us",
            new BigDecimal("1e-6"),
            "ms",
            new BigDecimal("1e-3"),
            "s",
            BigDecimal.ONE,
            "m",
            BigDecimal.valueOf(60),
            "min",
            BigDecimal.valueOf(60),
            "h",
            BigDecimal.valueOf(3600),
            "d",
            BigDecimal.valueOf(86_400));

    private static final Map<String, BigDecimal> BYTES = Map.of(
            "", BigDecimal.ONE,
            "B", BigDecimal.ONE,
            "K", BigDecimal.valueOf(STEP),
            "KiB", BigDecimal.valueOf(STEP),
            "M", BigDecimal.valueOf(STEP * STEP),
            "MiB", BigDecimal.valueOf(STEP * STEP),
            "G", BigDecimal.valueOf(STEP * STEP * STEP),
            "GiB", BigDecimal.valueOf(STEP * STEP * STEP));

    private Quantity() {}

    /**
     * Parses a time.
     *
     * @param text a decimal number of seconds, or with one of the units ns, us, ms, s, m or min, h and d
     * @return the number of seconds; empty if the text is no such time
     */
    public static Optional<BigDecimal> seconds(String text) {
        return parse(text, SECONDS);
    }

    /**
     * Parses a size.
     *
     * @param text a decimal number of bytes, or with one of the units B, K or KiB, M or MiB, and G or GiB, which are
     *        powers of 1024
     * @return the number of bytes; empty if the text is no such size
     */
    public static Optional<BigDecimal> bytes(String text) {
        return parse(text, BYTES);
    }

    private static Optional<BigDecimal> parse(String text, Map<String, BigDecimal> units) {
        var number = NUMBER.matcher(text);
        return number.matches() && units.containsKey(number.group(2))
                ? Optional.of(new BigDecimal(number.group(1)).multiply(units.get(number.group(2))))
                : Optional.empty();
    }

    /** Returns a number as an integer; empty if it is none, or not in the range. */
    static Optional<Long> whole(BigDecimal number, long least, long most) {
        try {
            var whole = number.longValueExact();
            return whole >= least && whole <= most ? Optional.of(whole) : Optional.empty();
        } catch (ArithmeticException e) {
            return Optional.empty();
        }
    }
}
