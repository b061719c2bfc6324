// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.faults;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** A parameter of an action, with its format in a schedule. */
public enum FaultParameter {
    /** The number of an error. */
    ERRNO("an errno, such as ENOSPC or 28", 1, 4095),
    /** A number of bytes. */
    BYTES("a number of bytes", 0, 1L << 32),
    /** A delay in nanoseconds. */
    DURATION("a time of at most 600s with unit ns, us, ms or s, such as 250ms", 0, 600_000_000_000L),
    /** A clock offset in nanoseconds, at most one year. */
    JUMP("a time with unit ns, us, ms or s, such as 90s or -250ms", -31_536_000_000_000_000L, 31_536_000_000_000_000L),
    /** The offset of a byte in a header. */
    OFFSET("the offset of a byte, at most 4095", 0, 4095),
    /** A mask of bits in a byte. */
    MASK("a mask of bits from 0x01 to 0xff", 1, 255);

    private static final Pattern TIME = Pattern.compile("(-?\\d{1,18})(ns|us|ms|s)");
    private static final Map<String, TimeUnit> UNITS = Map.of(
            "ns",
            TimeUnit.NANOSECONDS,
            "us",
            TimeUnit.MICROSECONDS,
            "ms",
            TimeUnit.MILLISECONDS,
            "s",
            TimeUnit.SECONDS);

    private final String description;
    private final long min;
    private final long max;

    FaultParameter(String description, long min, long max) {
        this.description = description;
        this.min = min;
        this.max = max;
    }

    /** Returns a description of the expected value. */
    @Override
    public String toString() {
        return description;
    }

    /** Formats a value for a schedule. */
    public String text(long value) {
        return switch (this) {
            case ERRNO -> Errno.name(value);
            case DURATION, JUMP -> value + "ns";
            default -> Long.toString(value);
        };
    }

    /** Returns the value of a word of a schedule, or empty if the word is not a valid value. */
    Optional<Long> parse(String word) {
        try {
            var value = switch (this) {
                case ERRNO -> Errno.number(word);
                case DURATION, JUMP -> nanoseconds(word);
                default -> Long.decode(word);
            };
            return Optional.of(value).filter(this::allows);
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static long nanoseconds(String word) {
        var time = TIME.matcher(word);
        if (!time.matches()) {
            throw new NumberFormatException(word);
        }
        return UNITS.get(time.group(2)).toNanos(Long.parseLong(time.group(1)));
    }

    /** Returns whether a value is in the range. */
    boolean allows(long value) {
        return value >= min && value <= max;
    }
}
