// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.shell;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts an option's size, from 0 to {@link Integer#MAX_VALUE} bytes. */
public final class ByteSize implements ITypeConverter<Integer> {

    ByteSize() {} // created by picocli

    @Override
    public Integer convert(String text) {
        return (int) convert(text, Integer.MAX_VALUE);
    }

    private static long convert(String text, long most) {
        return Quantity.bytes(text)
                .flatMap(bytes -> Quantity.whole(bytes, 0, most))
                .orElseThrow(() -> new TypeConversionException(
                        "'" + text + "' is not a size from 0 to " + most + " bytes, such as 4096, 64K, 64M or 2G"));
    }

    /** Converts an option's size, from 0 to {@link Long#MAX_VALUE} bytes. */
    public static final class OfMemory implements ITypeConverter<Long> {

        OfMemory() {} // created by picocli

        @Override
        public Long convert(String text) {
            return ByteSize.convert(text, Long.MAX_VALUE);
        }
    }
}
