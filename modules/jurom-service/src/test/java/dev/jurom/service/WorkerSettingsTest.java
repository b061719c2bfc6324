// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jurom.service.settings.WorkerSettings;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class WorkerSettingsTest {

    private final WorkerSettings settings = WorkerSettings.of(Path.of("/opt/urom_worker"));

    @Test
    void a_negative_hang_timeout_is_rejected_however_short_it_is() {
        var refused =
                assertThrows(IllegalArgumentException.class, () -> settings.withHangTimeout(Duration.ofNanos(-1)));

        assertEquals("The time-out of workers is -1 ns: it must not be negative", refused.getMessage());
        assertThrows(IllegalArgumentException.class, () -> settings.withHangTimeout(Duration.ofSeconds(-1)));
        assertEquals(Duration.ZERO, settings.withHangTimeout(Duration.ZERO).hangTimeout());
    }
}
