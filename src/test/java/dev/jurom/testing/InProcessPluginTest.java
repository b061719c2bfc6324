// SPDX-License-Identifier: Apache-2.0
package dev.jurom.testing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.core.AccessFlag;
import dev.jurom.core.Device;
import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.core.MemoryMap;
import dev.jurom.plugin.Offload;
import dev.jurom.worker.Command;
import dev.jurom.worker.Responder;
import dev.jurom.worker.WorkerPlugin;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;

class InProcessPluginTest {

    private static final Offload<byte[], byte[]> BYTES = Offload.of(
            "worker_bytes",
            1,
            (bytes, payload) -> {
                MemorySegment.copy(MemorySegment.ofArray(bytes), 0, payload, 0, bytes.length);
                return bytes.length;
            },
            answer -> answer.toArray(ValueLayout.JAVA_BYTE));

    /** Executes each command with a function. */
    private record BytesPlugin(Action action) implements WorkerPlugin {

        interface Action {

            void run(Command command, Responder responder) throws Exception;
        }

        @Override
        public String name() {
            return BYTES.plugin();
        }

        @Override
        public long version() {
            return BYTES.version();
        }

        @Override
        public void command(Command command, Responder responder) throws Exception {
            action.run(command, responder);
        }

        @Override
        public boolean progress() {
            return true; // always has more to do
        }
    }

    private static byte[] call(BytesPlugin.Action action) throws Exception {
        try (var plugin = InProcessPlugin.open(new BytesPlugin(action))) {
            return plugin.call(BYTES, new byte[] {1, 2});
        }
    }

    @Test
    void another_thread_answers_while_the_plugin_always_has_more_to_do() {
        var answer = assertTimeoutPreemptively(
                Duration.ofSeconds(20),
                () -> call((command, responder) -> {
                    var bytes = command.payload().toArray(ValueLayout.JAVA_BYTE);
                    var deferred = responder.defer();
                    Thread.ofVirtual().start(() -> deferred.reply(MemorySegment.ofArray(bytes)));
                }));

        assertArrayEquals(new byte[] {1, 2}, answer);
    }

    @Test
    void a_command_without_an_answer_fails() {
        var failure = assertThrows(DocaException.class, () -> call((command, responder) -> {}));

        assertEquals(DocaError.UNEXPECTED, failure.error());
        assertTrue(failure.getMessage().contains("returned without an answer"), failure.getMessage());
    }

    @Test
    void the_text_of_a_failure_is_in_the_exception() {
        var failure = assertThrows(
                DocaException.class,
                () -> call((command, responder) -> responder.fail(DocaError.NOT_FOUND, "there is no such key")));

        assertEquals(DocaError.NOT_FOUND, failure.error());
        assertTrue(failure.getMessage().contains("there is no such key"), failure.getMessage());
    }

    @Test
    void a_plugin_reads_and_writes_memory_that_the_test_has_exported() throws Exception {
        try (var arena = Arena.ofConfined();
                var device = Device.open();
                var map = MemoryMap.create()
                        .setRange(arena.allocateFrom(ValueLayout.JAVA_BYTE, new byte[] {1, 2, 3}))
                        .setPermissions(EnumSet.of(AccessFlag.PCI_READ_WRITE))
                        .addDevice(device)
                        .start();
                var plugin = InProcessPlugin.open(new BytesPlugin((command, responder) -> {
                    var memory = command.importMemory(command.payload());
                    memory.read(1, responder.room().asSlice(0, 2));
                    memory.write(0, MemorySegment.ofArray(new byte[] {9}));
                    assertThrows(IndexOutOfBoundsException.class, () -> memory.read(2, responder.room()));
                    responder.reply(2);
                }))) {
            assertArrayEquals(new byte[] {2, 3}, plugin.call(BYTES, map.exportPci(device)));
            assertArrayEquals(new byte[] {9, 2, 3}, map.range().toArray(ValueLayout.JAVA_BYTE));
        }
    }
}
