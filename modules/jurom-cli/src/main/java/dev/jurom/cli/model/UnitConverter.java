// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.model;

import dev.jurom.cli.shell.Quantity;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts a number with a unit, such as {@code 256KiB}, to a number of seconds, bytes or bytes per second. */
abstract class UnitConverter implements ITypeConverter<Double> {

    private static final String PER_SECOND = "/s";

    private final Function<String, Optional<BigDecimal>> parse;
    private final String form;

    private UnitConverter(Function<String, Optional<BigDecimal>> parse, String form) {
        this.parse = parse;
        this.form = form;
    }

    /** Converts a time to seconds. */
    static final class Seconds extends UnitConverter {
        Seconds() {
            super(Quantity::seconds, "a time such as 800ns, 3us, 2ms or 1s");
        }
    }

    /** Converts a size to bytes. */
    static final class Bytes extends UnitConverter {
        Bytes() {
            super(Quantity::bytes, "a size such as 4096B, 64K, 256KiB or 1M");
        }
    }

    /** Converts a speed to bytes per second. */
    static final class BytesPerSecond extends UnitConverter {
        BytesPerSecond() {
            super(BytesPerSecond::parse, "a speed such as 105MiB/s or 25GB/s");
        }

        /** Accepts the powers of 1000 of network speeds too. */
        private static Optional<BigDecimal> parse(String text) {
            if (!text.endsWith(PER_SECOND)) {
                return Optional.empty();
            }
            var size = text.substring(0, text.length() - PER_SECOND.length());
            for (var unit : new String[] {"kB", "MB", "GB"}) {
                if (size.endsWith(unit)) {
                    var thousands = "kMG".indexOf(unit.charAt(0)) + 1;
                    return Quantity.bytes(size.substring(0, size.length() - unit.length()) + "B")
                            .map(number -> number.movePointRight(3 * thousands));
                }
            }
            return Quantity.bytes(size);
        }
    }

    /** A number alone is ambiguous: a time of a network is rarely in seconds. */
    private static boolean hasUnit(String text) {
        return !text.isEmpty() && Character.isLetter(text.charAt(text.length() - 1));
    }

    @Override
    public Double convert(String text) {
        return parse.apply(hasUnit(text) ? text : "")
                .map(BigDecimal::doubleValue)
                .orElseThrow(() -> new TypeConversionException("'" + text + "' is not " + form));
    }
}
