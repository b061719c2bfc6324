// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jurom.fixture.Command;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class CodecAllocationTest {

    /** The expected sum: the packed bytes and tag 3 per message, plus 0, 1, 2 and so on. */
    private static final long SUM = 5_000_000L * (136 + 3 + 104 + 64) + 5_000_000L * 4_999_999L / 2;

    @Test
    void packing_and_reading_fields_allocate_nothing() {
        var output = Command.run(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UnlockExperimentalVMOptions",
                "-XX:+UseEpsilonGC",
                "-Xmx24m",
                "-Xlog:disable",
                "-cp",
                Command.LIBRARY + ":" + Command.TESTS,
                CodecAllocation.class.getName());

        assertEquals(SUM, Long.parseLong(output.strip()));
    }
}
