// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.faults;

import java.util.Optional;
import java.util.OptionalLong;

/** What an action must be told, and how people write it. */
public enum FaultParameter {
    /** The number of an error. */
    ERRNO("an errno as ENOSPC or 28", 1, 4095) {
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
    /** How many bytes are moved. */
    BYTES("a number of bytes", 0, 1L << 32),
    /** How long something takes. */
    DURATION("a time as 250ms, with ns, us, ms or s", 0, 600_000_000_000L) {
        @Override
        OptionalLong parse(String word) {
            return Nanoseconds.parse(word);
        }

        @Override
        public String text(long value) {
            return Nanoseconds.text(value);
        }
    },
    /** How far a clock jumps. */
    JUMP("a time as 90s or -250ms, with ns, us, ms or s", -Nanoseconds.YEAR, Nanoseconds.YEAR) {
        @Override
        OptionalLong parse(String word) {
            return Nanoseconds.parse(word);
        }

        @Override
        public String text(long value) {
            return Nanoseconds.text(value);
        }
    },
    /** Which byte of a header. */
    OFFSET("the offset of a byte", 0, 4095),
    /** Which bits of a byte. */
    MASK("the bits to change as 0x80", 1, 255) {
        @Override
        OptionalLong parse(String word) {
            return number(() -> Long.decode(word));
        }

        @Override
        public String text(long value) {
            return "0x%02x".formatted(value);
        }
    };

    /** Reads a word. */
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

    /** What is expected, in words. */
    public String meaning() {
        return meaning;
    }

    /** The smallest value. */
    public long least() {
        return least;
    }

    /** The largest value. */
    public long most() {
        return most;
    }

    /** Whether a value is possible. */
    public boolean allows(long value) {
        return value >= least && value <= most;
    }

    /** A value as it is written in a schedule. */
    public String text(long value) {
        return Long.toString(value);
    }

    OptionalLong parse(String word) {
        return number(() -> Long.parseLong(word));
    }

    /** The value of a word that is written in a schedule, if it is one that is possible. */
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
