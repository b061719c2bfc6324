// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.shell;

import dev.jurom.runtime.LogLevel;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The converters of values whose options have none of their own: their errors name the valid form, and no Java type. */
public final class ValueConverters {

    private static final String LEVELS = Arrays.stream(LogLevel.values())
            .map(level -> level.code() + " or " + level.name().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(", "));

    private ValueConverters() {}

    /**
     * Registers the converters for a command and its subcommands.
     *
     * @param command the command line
     * @return the same command line
     */
    public static CommandLine register(CommandLine command) {
        var integers = of(Integer::valueOf, "a whole number from " + Integer.MIN_VALUE + " to " + Integer.MAX_VALUE);
        var numbers = of(Double::valueOf, "a number such as 0.5 or 2");
        ITypeConverter<Boolean> flags = text -> switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new TypeConversionException("'" + text + "' is neither true nor false");
        };
        return command.registerConverter(int.class, integers)
                .registerConverter(Integer.class, integers)
                .registerConverter(double.class, numbers)
                .registerConverter(Double.class, numbers)
                .registerConverter(boolean.class, flags)
                .registerConverter(LogLevel.class, ValueConverters::level);
    }

    private static <T> ITypeConverter<T> of(Function<String, T> parse, String form) {
        return text -> {
            try {
                return parse.apply(text);
            } catch (NumberFormatException e) {
                throw new TypeConversionException("'" + text + "' is not " + form);
            }
        };
    }

    private static LogLevel level(String text) {
        return Arrays.stream(LogLevel.values())
                .filter(level -> level.name().equalsIgnoreCase(text)
                        || Integer.toString(level.code()).equals(text))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException("'" + text + "' is not a level: use " + LEVELS));
    }
}
