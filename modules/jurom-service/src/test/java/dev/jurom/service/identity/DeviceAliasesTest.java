// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.identity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceAliasesTest {

    @Test
    void without_aliases_soft0_has_one_address() {
        assertEquals(List.of("0000:00:00.0"), DeviceAliases.ofSoftware(null));
        assertEquals(List.of("0000:00:00.0"), DeviceAliases.ofSoftware(""));
        assertEquals(List.of("0000:00:00.0"), DeviceAliases.ofSoftware("mlx5_0=soft0"));
    }

    @Test
    void aliases_of_soft0_are_addresses_in_their_long_form() {
        assertEquals(
                List.of("0000:00:00.0", "0000:3b:00.0", "0001:04:00.1"),
                DeviceAliases.ofSoftware(
                        "3B:00.0=soft0,a=0000:3b:00.0,0001:04:00.1=a," + "0000:05:00.0=eth0,0000:3b:00.0=soft0"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "=",
                "a=",
                "=soft0",
                "a=b=c",
                ",a=soft0",
                "a=soft0,,b=soft0",
                "a b=soft0",
                "a=soft0\n",
                "\u001b[2J=soft0",
                "a=../../etc"
            })
    void an_invalid_alias_is_an_error_that_names_it(String aliases) {
        var failure = assertThrows(IllegalArgumentException.class, () -> DeviceAliases.ofSoftware(aliases));

        assertTrue(failure.getMessage().contains("JUROM_DEVICE_ALIASES"), failure::getMessage);
        assertTrue(failure.getMessage().chars().allMatch(c -> c >= ' ' && c < 127), failure::getMessage);
    }

    @Test
    void there_is_a_limit() {
        var failure =
                assertThrows(IllegalArgumentException.class, () -> DeviceAliases.ofSoftware("a=soft0,".repeat(65)));

        assertTrue(failure.getMessage().contains("64"), failure::getMessage);
    }
}
