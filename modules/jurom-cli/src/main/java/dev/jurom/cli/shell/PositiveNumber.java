// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.shell;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts an option's whole number from 1 to {@link Integer#MAX_VALUE}. */
public final class PositiveNumber implements ITypeConverter<Integer> {

    PositiveNumber() {} // created by picocli

    @Override
    public Integer convert(String text) {
        try {
            var number = Integer.parseInt(text);
            if (number >= 1) {
                return number;
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        throw new TypeConversionException("'" + text + "' is not a whole number from 1 to " + Integer.MAX_VALUE);
    }
}
