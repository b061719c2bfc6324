// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin.rdmo;

import static dev.jurom.fixture.ServiceFixture.DEADLINE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.fixture.Command;
import dev.jurom.fixture.ServiceFixture;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests peers of a target that is stopped temporarily. */
class StoppedTargetTest {

    private static final Duration SHORT = Duration.ofMillis(300);
    private static final int MOST_REQUESTS = 4000;
    private static final MemorySegment ONE = MemorySegment.ofArray(new byte[] {1});

    private static GuardedTarget target;

    @BeforeAll
    static void open() {
        target = new GuardedTarget();
    }

    @AfterAll
    static void close() {
        target.close();
    }

    @BeforeEach
    void reset() {
        target.reset();
    }

    @Test
    void requests_to_a_stopped_target_time_out_without_loss() {
        try (var peer = target.peer()) {
            append(peer, DEADLINE);
            peer.flush(DEADLINE);

            var sent = 1
                    + whileStopped(() -> {
                        var taken = requestsUntilTimeout(() -> append(peer, SHORT));
                        assertEquals(
                                0,
                                requestsUntilTimeout(() -> peer.scatter(
                                        List.of(new ScatterVector(target.dataAddress() + 4000, target.dataKey(), ONE)),
                                        0,
                                        SHORT)));
                        assertEquals(0, requestsUntilTimeout(() -> peer.flush(SHORT)));
                        return taken;
                    });
            peer.flush(DEADLINE);

            assertEquals(sent, target.pointer()); // all accepted requests, and no others
            assertEquals(0, target.data().get(ValueLayout.JAVA_BYTE, 4000));
            append(peer, DEADLINE);
            peer.flush(DEADLINE);
            assertEquals(sent + 1, target.pointer());
        }
    }

    @Test
    void a_peer_of_a_stopped_target_can_be_closed() {
        var peer = target.peer();
        whileStopped(() -> {
            requestsUntilTimeout(() -> append(peer, SHORT));
            var begin = System.nanoTime();
            peer.close();
            assertTrue(System.nanoTime() - begin < DEADLINE.toNanos());
            return 0;
        });
        try (var next = target.peer()) { // completes accepted requests before the next test
            next.flush(DEADLINE);
        }
    }

    private void append(RdmoPeer peer, Duration timeout) {
        peer.append(target.pointerAddress(), target.pointerKey(), target.dataKey(), ONE, 0, timeout);
    }

    private static int whileStopped(IntSupplier action) {
        var process = Long.toString(ServiceFixture.workerProcesses().getFirst().pid());
        Command.run("kill", "-STOP", process);
        try {
            return action.getAsInt();
        } finally {
            Command.run("kill", "-CONT", process);
        }
    }

    /** Returns the number of requests until the target has no space. */
    private static int requestsUntilTimeout(Runnable request) {
        for (var taken = 0; taken < MOST_REQUESTS; taken++) {
            var begin = System.nanoTime();
            try {
                request.run();
            } catch (DocaException e) {
                assertEquals(DocaError.TIME_OUT, e.error());
                assertTrue(System.nanoTime() - begin < 10 * SHORT.toNanos());
                return taken;
            }
        }
        throw new AssertionError("a stopped target accepts everything");
    }
}
