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
    void cpu_time_that_a_thread_burns_is_counted() throws IOException {
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
    void a_jvm_has_megabytes_in_memory_and_not_terabytes() throws IOException {
        var resident = ProcessUsage.of(OWN).residentBytes();

        assertTrue(resident > 10L << 20 && resident < 1L << 40, () -> resident + " bytes");
    }

    @Test
    void the_share_of_its_memory_is_no_more_than_all_of_it() throws IOException {
        var usage = ProcessUsage.of(OWN);

        assertTrue(
                usage.proportionalBytes() > 10L << 20 && usage.proportionalBytes() <= usage.residentBytes(),
                usage::toString);
    }

    @Test
    void a_process_that_is_not_there_cannot_be_read() {
        assertThrows(IOException.class, () -> ProcessUsage.of(Integer.MAX_VALUE));
    }
}
