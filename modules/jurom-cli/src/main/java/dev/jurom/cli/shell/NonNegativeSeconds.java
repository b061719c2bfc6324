// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.shell;

import java.math.BigDecimal;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts an option's time, from 0 to one day. */
public final class NonNegativeSeconds implements ITypeConverter<Duration> {

    private static final BigDecimal LONGEST =
            BigDecimal.valueOf(Duration.ofDays(1).toSeconds());
    private static final int NANOS = 9;

    NonNegativeSeconds() {} // created by picocli

    @Override
    public Duration convert(String text) {
        return Quantity.seconds(text)
                .filter(seconds -> seconds.compareTo(LONGEST) <= 0)
                .map(seconds -> Duration.ofNanos(seconds.movePointRight(NANOS).longValue()))
                .orElseThrow(() -> new TypeConversionException(
                        "'" + text + "' is not a time from 0 to 24h, such as 0.2, 200ms, 30s, 5m or 2h"));
    }
}
