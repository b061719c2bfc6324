// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class ProcessUsageTest {

    private static final long OWN = ProcessHandle.current().pid();

    @Test
    void cpu_time_of_a_busy_thread_is_counted() throws IOException {
        var threads = ManagementFactory.getThreadMXBean();
        var before = ProcessUsage.of(OWN).cpuNanos();

        var begin = threads.getCurrentThreadCpuTime();
        while (threads.getCurrentThreadCpuTime() - begin < 50_000_000) {
            Thread.onSpinWait();
        }

        var burnt = ProcessUsage.of(OWN).cpuNanos() - before;
        assertTrue(burnt >= 45_000_000, () -> burnt + " ns");
    }

    @Test
    void the_resident_memory_of_a_jvm_is_plausible() throws IOException {
        var resident = ProcessUsage.of(OWN).residentBytes();

        assertTrue(resident > 10L << 20 && resident < 1L << 40, () -> resident + " bytes");
    }

    @Test
    void the_proportional_memory_is_at_most_the_resident_memory() throws IOException {
        var usage = ProcessUsage.of(OWN);

        assertTrue(
                usage.proportionalBytes() > 10L << 20 && usage.proportionalBytes() <= usage.residentBytes(),
                usage::toString);
    }

    @Test
    void the_usage_of_a_missing_process_cannot_be_read() {
        assertThrows(IOException.class, () -> ProcessUsage.of(Integer.MAX_VALUE));
    }
}
