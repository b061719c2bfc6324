// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.model;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts a number with a unit, such as {@code 256KiB}, to a number of seconds, bytes or bytes per second. */
abstract class UnitConverter implements ITypeConverter<Double> {

    private static final Pattern NUMBER = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)\\s*(\\S+)");

    private final TreeMap<String, Double> units;

    private UnitConverter(Map<String, Double> units) {
        this.units = new TreeMap<>(units);
    }

    /** Converts a time to seconds. */
    static final class Seconds extends UnitConverter {
        Seconds() {
            super(Map.of("ns", 1e-9, "us", 1e-6, "ms", 1e-3, "s", 1.0));
        }
    }

    /** Converts a size to bytes. */
    static final class Bytes extends UnitConverter {
        Bytes() {
            super(Map.of("B", 1.0, "KiB", 1024.0, "MiB", 1048576.0));
        }
    }

    /** Converts a speed to bytes per second. */
    static final class BytesPerSecond extends UnitConverter {
        BytesPerSecond() {
            super(Map.of("MB/s", 1e6, "GB/s", 1e9, "MiB/s", 1048576.0, "GiB/s", 1073741824.0));
        }
    }

    @Override
    public Double convert(String text) {
        var number = NUMBER.matcher(text);
        var unit = number.matches() ? units.get(number.group(2)) : null;
        if (unit == null) {
            throw new TypeConversionException("'" + text + "' is not a number with one of the units "
                    + String.join(", ", List.copyOf(units.keySet())));
        }
        return Double.parseDouble(number.group(1)) * unit;
    }
}
