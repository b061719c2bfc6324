// SPDX-License-Identifier: Apache-2.0
package dev.jurom.worker;

import static dev.jurom.worker.ProbePlugin.PROBE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.Urom;
import dev.jurom.Worker;
import dev.jurom.WorkerConfiguration;
import dev.jurom.core.AccessFlag;
import dev.jurom.core.Device;
import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.core.MemoryMap;
import dev.jurom.fixture.ForkedJvm;
import dev.jurom.fixture.Waiting;
import dev.jurom.service.EmbeddedService;
import dev.jurom.worker.ProbePlugin.Action;
import dev.jurom.worker.ProbePlugin.Answer;
import dev.jurom.worker.ProbePlugin.Request;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that a plugin in Java accesses memory that a host, which is another process, has exported. */
class ImportedMemoryTest {

    private static final int SIZE = 3_000_000; // more than the window of a copy
    private static final String WORKER_ID = "jurom.test.worker";

    private EmbeddedService service;
    private Urom urom;
    private Worker worker;
    private ExportedBytes exported;

    /** Exported memory of this process. */
    private record ExportedBytes(Arena arena, Device device, MemoryMap map, byte[] export) implements AutoCloseable {

        static ExportedBytes open(AccessFlag access) {
            var arena = Arena.ofShared();
            var device = Device.open();
            var map = MemoryMap.create()
                    .setRange(arena.allocate(SIZE))
                    .setPermissions(EnumSet.of(access))
                    .addDevice(device)
                    .start();
            for (var i = 0; i < SIZE; i++) {
                map.range().set(ValueLayout.JAVA_BYTE, i, (byte) (i * 7 + i / 251));
            }
            return new ExportedBytes(arena, device, map, map.exportPci(device));
        }

        Request request() {
            return new Request(Action.IMPORT, MemorySegment.ofArray(export));
        }

        @Override
        public void close() {
            map.close();
            device.close();
            arena.close();
        }
    }

    /** A host that lets the worker read its memory until it is killed. */
    static final class KilledHost {

        private KilledHost() {}

        public static void main(String[] arguments) throws InterruptedException {
            try (var exported = ExportedBytes.open(AccessFlag.PCI_READ_ONLY);
                    var urom = Urom.open();
                    var worker = urom.startWorker(WorkerConfiguration.builder(ProbePlugin.NAME)
                            .id(Long.getLong(WORKER_ID))
                            .build())) {
                worker.call(PROBE, exported.request());
                worker.call(PROBE, Request.of(Action.READ_UNTIL_ERROR, ""));
                System.out.println("the worker reads");
                Thread.sleep(Long.MAX_VALUE);
            }
        }
    }

    @BeforeEach
    void start() throws InterruptedException {
        service = EmbeddedService.open(
                usual -> usual.toBuilder().plugin(ProbePlugin.class).build());
        urom = Urom.open();
        worker = urom.startWorker(WorkerConfiguration.of(ProbePlugin.NAME));
        exported = ExportedBytes.open(AccessFlag.PCI_READ_WRITE);
    }

    @AfterEach
    void end() {
        exported.close();
        urom.close();
        service.close();
    }

    private Answer call(Action action, String text) throws InterruptedException {
        return worker.call(PROBE, Request.of(action, text));
    }

    private DocaException failure(Action action, String text) {
        return assertThrows(DocaException.class, () -> call(action, text));
    }

    private static void assertFailure(DocaError error, String why, DocaException failure) {
        assertEquals(error, failure.error(), failure.getMessage());
        assertTrue(failure.getMessage().contains(why), failure.getMessage());
    }

    @Test
    void a_plugin_reads_and_writes_memory_of_any_size() throws InterruptedException {
        var before = exported.map().range().toArray(ValueLayout.JAVA_BYTE);

        assertEquals(
                Integer.toString(SIZE), worker.call(PROBE, exported.request()).text());
        call(Action.INVERT, "");

        for (var i = 0; i < SIZE; i++) {
            assertEquals((byte) ~before[i], exported.map().range().get(ValueLayout.JAVA_BYTE, i), "byte " + i);
        }
        var end = call(Action.READ, (SIZE - 5) + " 5").bytes().toArray(ValueLayout.JAVA_BYTE);
        for (var i = 0; i < end.length; i++) {
            assertEquals((byte) ~before[SIZE - 5 + i], end[i]);
        }
    }

    @Test
    void an_access_outside_of_the_memory_fails() throws InterruptedException {
        worker.call(PROBE, exported.request());

        for (var range : new String[] {SIZE + " 1", (SIZE - 1) + " 2", "-1 1", Long.MAX_VALUE + " 1"}) {
            assertFailure(DocaError.UNEXPECTED, "IndexOutOfBoundsException", failure(Action.READ, range));
        }
        assertEquals(0, call(Action.READ, SIZE + " 0").bytes().byteSize());
    }

    @Test
    void memory_that_is_exported_for_reading_is_not_written() throws InterruptedException {
        try (var readable = ExportedBytes.open(AccessFlag.PCI_READ_ONLY)) {
            worker.call(PROBE, readable.request());

            assertFailure(DocaError.NOT_PERMITTED, "exported it for reading", failure(Action.INVERT, ""));
            assertEquals(3, call(Action.READ, "0 3").bytes().byteSize());
        }
    }

    @Test
    void bytes_that_are_not_an_export_are_rejected() {
        assertFailure(DocaError.INVALID_VALUE, "are not the export of a memory map", failure(Action.IMPORT, "x"));

        exported.map().stop();
        assertFailure(
                DocaError.NOT_FOUND,
                "has stopped its memory map",
                assertThrows(DocaException.class, () -> worker.call(PROBE, exported.request())));
    }

    /** A peer determines bytes of processes that serve it: here, of the process whose memory it claims. */
    @Test
    void a_forged_export_leads_to_no_other_memory() throws InterruptedException {
        var range = exported.map().range();
        var words = exported.export().length / Long.BYTES;
        for (var begin = 0; begin < words; begin++) {
            for (var changed = begin; changed < words; changed++) {
                for (var referring = 0; referring < words; referring++) {
                    var forged = MemorySegment.ofArray(exported.export().clone());
                    forged.set(JAVA_LONG_UNALIGNED, changed * 8L, forged.get(JAVA_LONG_UNALIGNED, changed * 8L) + 8);
                    MemorySegment.copy(forged, begin * 8L, range, 0, forged.byteSize() - begin * 8L);
                    forged.set(JAVA_LONG_UNALIGNED, referring * 8L, range.address());
                    var what = "words %d, %d, %d".formatted(begin, changed, referring);
                    try {
                        assertEquals(
                                Integer.toString(SIZE),
                                worker.call(PROBE, new Request(Action.IMPORT, forged))
                                        .text(),
                                what);
                        assertEquals(
                                range.get(JAVA_LONG_UNALIGNED, 0),
                                call(Action.READ, "0 8").bytes().get(JAVA_LONG_UNALIGNED, 0),
                                what);
                    } catch (DocaException rejected) {
                        assertTrue(
                                List.of(DocaError.INVALID_VALUE, DocaError.NOT_FOUND, DocaError.UNSUPPORTED_VERSION)
                                        .contains(rejected.error()),
                                what + ": " + rejected.getMessage());
                    }
                }
            }
        }
    }

    @Test
    void memory_whose_map_has_been_stopped_is_not_accessed() throws InterruptedException {
        worker.call(PROBE, exported.request());
        exported.map().stop();

        assertFailure(DocaError.IO_FAILED, "stopped its memory map", failure(Action.READ, "0 1"));
    }

    @Test
    void the_memory_of_a_host_is_closed_when_the_host_has_disconnected() throws InterruptedException {
        try (var other = Urom.open();
                var attached = other.startWorker(WorkerConfiguration.builder(ProbePlugin.NAME)
                        .id(worker.id())
                        .build())) {
            attached.call(PROBE, exported.request());
            assertEquals(3, call(Action.READ, "0 3").bytes().byteSize());
        }

        Waiting.until("the end of the access", () -> {
            try {
                call(Action.READ, "0 3");
                return false;
            } catch (DocaException e) {
                return e.getMessage().contains("The memory of the host is closed");
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
    }

    @Test
    void a_worker_continues_when_a_host_is_killed_whose_memory_it_reads() throws InterruptedException {
        try (var host = ForkedJvm.start(KilledHost.class, "-D" + WORKER_ID + "=" + worker.id())) {
            Waiting.until("reads of the worker", () -> reads() > 2);
            host.process().destroyForcibly();
            Waiting.until("the end of the reads", () -> !outcome().endsWith(" "));
        }

        assertTrue(outcome().matches("[0-9]+ .*(IO_FAILED|The memory of the host is closed).*"), outcome());
        assertEquals("after it", call(Action.ECHO, "after it").text());
    }

    private long reads() {
        return Long.parseLong(outcome().split(" ")[0]);
    }

    private String outcome() {
        try {
            return call(Action.ERROR, "").text();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
