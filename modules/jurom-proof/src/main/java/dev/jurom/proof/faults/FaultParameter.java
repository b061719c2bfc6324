// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.faults;

import java.util.Optional;
import java.util.OptionalLong;

/** A parameter of an action, and its form in a schedule. */
public enum FaultParameter {
    /** The number of an error. */
    ERRNO("an errno, such as ENOSPC or 28", 1, 4095) {
        @Override
        OptionalLong parse(String word) {
            var named = Errno.number(word);
            return named.isPresent() ? named : super.parse(word);
        }

        @Override
        public String text(long value) {
            return Errno.name(value).orElseGet(() -> super.text(value));
        }
    },
    /** A number of bytes. */
    BYTES("a number of bytes", 0, 1L << 32),
    /** A delay. */
    DURATION("a time with unit ns, us, ms or s, such as 250ms", 0, 600_000_000_000L) {
        @Override
        OptionalLong parse(String word) {
            return Nanoseconds.parse(word);
        }

        @Override
        public String text(long value) {
            return Nanoseconds.text(value);
        }
    },
    /** A clock offset. */
    JUMP("a time with unit ns, us, ms or s, such as 90s or -250ms", -Nanoseconds.YEAR, Nanoseconds.YEAR) {
        @Override
        OptionalLong parse(String word) {
            return Nanoseconds.parse(word);
        }

        @Override
        public String text(long value) {
            return Nanoseconds.text(value);
        }
    },
    /** The offset of a byte in a header. */
    OFFSET("the offset of a byte", 0, 4095),
    /** A mask of bits in a byte. */
    MASK("a mask of bits, such as 0x80", 1, 255) {
        @Override
        OptionalLong parse(String word) {
            return number(() -> Long.decode(word));
        }

        @Override
        public String text(long value) {
            return "0x%02x".formatted(value);
        }
    };

    /** Parses a word. */
    private interface Reading {
        long read();
    }

    private final String meaning;
    private final long least;
    private final long most;

    FaultParameter(String meaning, long least, long most) {
        this.meaning = meaning;
        this.least = least;
        this.most = most;
    }

    /** Returns a description of the expected value. */
    public String meaning() {
        return meaning;
    }

    /** Returns the smallest value. */
    public long least() {
        return least;
    }

    /** Returns the largest value. */
    public long most() {
        return most;
    }

    /** Returns whether a value is in the range. */
    public boolean allows(long value) {
        return value >= least && value <= most;
    }

    /** Returns the form of a value in a schedule. */
    public String text(long value) {
        return Long.toString(value);
    }

    OptionalLong parse(String word) {
        return number(() -> Long.parseLong(word));
    }

    /** Returns the value of a word of a schedule, or empty if the word is not a valid value. */
    public final Optional<Long> value(String word) {
        var value = parse(word);
        return value.isPresent() && allows(value.getAsLong()) ? Optional.of(value.getAsLong()) : Optional.empty();
    }

    private static OptionalLong number(Reading reading) {
        try {
            return OptionalLong.of(reading.read());
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }
}
