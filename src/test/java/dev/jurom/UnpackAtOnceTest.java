// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import static dev.jurom.plugin.graph.GraphPlugin.LOOPBACK;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.ForEveryRuntime;
import dev.jurom.plugin.Offload;
import dev.jurom.plugin.graph.GraphPlugin;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletionException;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests answers that the engine thread unpacks. */
@ForEveryRuntime
class UnpackAtOnceTest {

    private Urom urom;
    private Worker worker;

    @BeforeEach
    void open() throws InterruptedException {
        urom = Urom.open();
        worker = urom.startWorker(
                WorkerConfiguration.builder(GraphPlugin.NAME).tasks(1).build());
    }

    @AfterEach
    void close() {
        urom.close();
    }

    /** Returns loopbacks whose answers are unpacked at once, by an action. */
    private static Offload<Long, Long> loopback(LongUnaryOperator action) {
        return new Offload<>() {

            @Override
            public String plugin() {
                return LOOPBACK.plugin();
            }

            @Override
            public long version() {
                return LOOPBACK.version();
            }

            @Override
            public long pack(Long command, MemorySegment payload) {
                return LOOPBACK.pack(command, payload);
            }

            @Override
            public boolean unpacksAtOnce() {
                return true;
            }

            @Override
            public Long unpack(MemorySegment response) {
                assertTrue(response.isNative(), "the response is a copy");
                return action.applyAsLong(LOOPBACK.unpack(response));
            }
        };
    }

    @Test
    void an_answer_is_unpacked_on_the_engine_thread_and_completes_on_the_executor() {
        var threads = new Thread[2];
        var answer = worker.submit(
                        loopback(value -> {
                            threads[0] = Thread.currentThread();
                            return value;
                        }),
                        5L)
                .thenApply(value -> {
                    threads[1] = Thread.currentThread();
                    return value;
                });

        assertEquals(5, answer.join());
        assertEquals("urom", threads[0].getName());
        assertTrue(threads[1] != threads[0], () -> "completed by " + threads[1]);
    }

    @Test
    void an_answer_that_cannot_be_unpacked_fails_its_future_and_frees_its_slot() {
        var failure = new StackOverflowError("planted");
        var answer = worker.submit(
                loopback(value -> {
                    throw failure;
                }),
                5L);

        assertSame(
                failure, assertThrows(CompletionException.class, answer::join).getCause());
        assertEquals(6, worker.submit(LOOPBACK, 6L).join());
    }
}
