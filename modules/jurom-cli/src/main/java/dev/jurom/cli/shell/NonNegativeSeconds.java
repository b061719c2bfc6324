// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.shell;

import java.math.BigDecimal;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts an option's seconds, from 0 to one day, with decimals such as 0.2. */
public final class NonNegativeSeconds implements ITypeConverter<Duration> {

    private static final BigDecimal LONGEST =
            BigDecimal.valueOf(Duration.ofDays(1).toSeconds());
    private static final int NANOS = 9;

    NonNegativeSeconds() {} // created by picocli

    @Override
    public Duration convert(String text) {
        try {
            var seconds = new BigDecimal(text);
            if (seconds.signum() >= 0 && seconds.compareTo(LONGEST) <= 0) {
                return Duration.ofNanos(seconds.movePointRight(NANOS).longValue());
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        throw new TypeConversionException("'" + text + "' are not seconds from 0 to " + LONGEST);
    }
}
