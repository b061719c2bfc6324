// SPDX-License-Identifier: Apache-2.0
package dev.jurom.hostile;

import static dev.jurom.fixture.ServiceFixture.DEADLINE;
import static dev.jurom.fixture.ServiceFixture.loopback;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jurom.fixture.ServiceFixture;
import dev.jurom.urom.WorkerId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests workers whose process dies immediately before a host requests them again. */
class KilledAndStartedTest {

    private static final int ROUNDS = 200;
    private static final long ID = WorkerId.compose(1, 2, 3);

    private ServiceFixture fixture;

    @BeforeEach
    void open() {
        fixture = ServiceFixture.open();
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    /** The service has not yet detected the exit, and must not return the dead process. */
    @Test
    void a_start_immediately_after_a_kill_gets_a_new_process() {
        for (var i = 0L; i < ROUNDS; i++) {
            try (var victim = fixture.worker().setId(ID);
                    var next = fixture.worker().setId(ID)) {
                victim.startAndWait(DEADLINE);
                ServiceFixture.workerProcesses().forEach(ProcessHandle::destroyForcibly);
                next.startAndWait(DEADLINE);
                try (var task = next.commandTask(fixture.graph())) {
                    assertEquals(i, loopback(task, i));
                }
            }
        }
    }
}
