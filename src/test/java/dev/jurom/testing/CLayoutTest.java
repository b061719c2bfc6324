// SPDX-License-Identifier: Apache-2.0
package dev.jurom.testing;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.plugin.StructBuilder;
import dev.jurom.plugin.StructCodec;
import org.junit.jupiter.api.Test;

class CLayoutTest {

    private record Reading(int sensor, double value) {}

    private static StructCodec<Reading> codec() {
        StructBuilder<Reading> struct = StructBuilder.struct("reading");
        var sensor = struct.u16("sensor", Reading::sensor);
        var value = struct.f64("value", Reading::value);
        return struct.codec(in -> new Reading(sensor.getInt(in), value.get(in)));
    }

    @Test
    void a_codec_with_the_layout_of_its_struct_passes() {
        var codec = codec();

        // @start region="layout"
        var header = "struct reading { uint16_t sensor; double value; };"; // or #include "reading.h"
        CLayout.of(header).requireSame(codec);
        // @end
    }

    @Test
    void each_difference_is_reported() {
        var packed = CLayout.of("struct __attribute__((packed)) reading { uint16_t sensor; float value; };");

        var error = assertThrows(AssertionError.class, () -> packed.requireSame(codec()));

        for (var words : new String[] {
            "sizeof(struct reading) is 6 in C and 16 in the codec",
            "offsetof(struct reading, value) is 2 in C and 8",
            "->value) is 4 in C and 8"
        }) {
            assertTrue(error.getMessage().contains(words), error.getMessage());
        }
    }

    @Test
    void a_field_missing_in_c_is_reported_by_the_compiler() {
        var other = CLayout.of("struct reading { uint16_t sensors; double value; };");

        var error = assertThrows(AssertionError.class, () -> other.requireSame(codec()));

        assertTrue(error.getMessage().contains("sensor"), error.getMessage());
    }
}
