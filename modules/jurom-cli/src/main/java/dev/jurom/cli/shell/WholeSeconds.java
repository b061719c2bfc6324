// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.shell;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts an option's time in whole seconds, from 0 to {@value #LONGEST}. */
public final class WholeSeconds implements ITypeConverter<Long> {

    /** Maximum number of seconds: its milliseconds are an {@code int}. */
    private static final long LONGEST = Integer.MAX_VALUE / 1000;

    WholeSeconds() {} // created by picocli

    @Override
    public Long convert(String text) {
        return convert(text, 0);
    }

    private static long convert(String text, long least) {
        return Quantity.seconds(text)
                .flatMap(seconds -> Quantity.whole(seconds, least, LONGEST))
                .orElseThrow(() -> new TypeConversionException("'" + text + "' is not a time in whole seconds from "
                        + least + " to " + LONGEST + ", such as 30, 30s, 5m or 2h"));
    }

    /** Converts an option's time in whole seconds, from 1. */
    public static final class Positive implements ITypeConverter<Long> {

        Positive() {} // created by picocli

        @Override
        public Long convert(String text) {
            return WholeSeconds.convert(text, 1);
        }
    }
}
