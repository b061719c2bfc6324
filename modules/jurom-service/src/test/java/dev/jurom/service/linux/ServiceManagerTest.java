// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServiceManagerTest {

    private static final long PROCESS = 4711;

    @Test
    void the_watchdog_expects_messages_of_the_process_that_it_names() {
        var minute = Optional.of(Duration.ofMinutes(1));

        assertEquals(minute, ServiceManager.watchdog(Map.of("WATCHDOG_USEC", "60000000"), PROCESS));
        assertEquals(
                minute, ServiceManager.watchdog(Map.of("WATCHDOG_USEC", "60000000", "WATCHDOG_PID", "4711"), PROCESS));
        assertEquals(Optional.empty(), ServiceManager.watchdog(Map.of("WATCHDOG_PID", "4711"), PROCESS));
    }

    /** A child process inherits the variables of the process that the manager watches. */
    @ParameterizedTest
    @ValueSource(strings = {"4712", "1", "", "x"})
    void the_watchdog_of_another_process_expects_no_messages(String process) {
        assertEquals(
                Optional.empty(),
                ServiceManager.watchdog(Map.of("WATCHDOG_USEC", "60000000", "WATCHDOG_PID", process), PROCESS));
    }
}
