// SPDX-License-Identifier: Apache-2.0
package dev.jurom.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.ForkedJvm;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests that commands allocate nothing on the Java heap. */
class AllocationTest {

    /** Allowance for the JVM itself and late recompilation. */
    private static final double NOISE = 1;

    private static final Pattern REPORT = Pattern.compile("(\\d+) bytes for (\\d+) commands");
    private static final String[] COUNTING = {
        "-XX:TieredStopAtLevel=4",
        "-XX:-UseSerialGC",
        "-XX:+UnlockExperimentalVMOptions",
        "-XX:+UseEpsilonGC",
        "-XX:-UseTLAB",
        "-XX:+UseCompressedOops",
        "-Xbatch", // compiled code from a given command on, however fast the machine is
        "-Dcommands=100000"
    };

    @Test
    void a_command_of_the_explicit_interface_allocates_nothing() {
        // without it, an allocation that the compiler removes in most runs fails in each
        var bytes = bytesPerCommand(AllocationProgram.class, "-XX:-DoEscapeAnalysis");

        assertTrue(bytes < NOISE, bytes + " bytes per command");
    }

    @Test
    void a_blocking_call_of_the_facade_allocates_nothing() {
        var bytes = bytesPerCommand(FacadeAllocationProgram.class);

        assertTrue(bytes < NOISE, bytes + " bytes per command");
    }

    private static double bytesPerCommand(Class<?> program, String... further) {
        var flags = Stream.concat(Stream.of(COUNTING), Stream.of(further)).toArray(String[]::new);
        var result = ForkedJvm.run(program, flags);
        assertEquals(0, result.exitCode(), result.output());
        var report = REPORT.matcher(result.output());
        assertTrue(report.find(), result.output());
        return Double.parseDouble(report.group(1)) / Double.parseDouble(report.group(2));
    }
}
