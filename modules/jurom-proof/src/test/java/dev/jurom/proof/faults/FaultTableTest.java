// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the fault table, which the processes of a run share. */
class FaultTableTest {

    private static final int ROW = 64 + 7 * 64;
    private static final int FIRST_EVENT = 64 + 256 * 64;
    private static final FaultPoint POINT =
            new FaultPoint(7, "send", FaultKind.TRANSFER, "a frame is sent", Optional.empty());

    @TempDir
    private Path folder;

    private Path file() {
        return folder.resolve("table");
    }

    private ByteBuffer bytes() throws IOException {
        return ByteBuffer.wrap(Files.readAllBytes(file())).order(ByteOrder.nativeOrder());
    }

    @Test
    void a_new_table_has_the_layout_of_the_c_code() throws IOException {
        FaultTable.create(file()).close();

        var bytes = bytes();
        assertEquals(64 + 256 * 64 + 4096 * 64 + 256 * 16, bytes.capacity());
        var header = List.of(0x4654524A, 2, 256, 64, 4096, 64);
        for (var i = 0; i < header.size(); i++) {
            assertEquals(header.get(i), bytes.getInt(4 * i));
        }
        for (var i = 24; i < bytes.capacity(); i++) {
            assertEquals(0, bytes.get(i), "byte " + i);
        }
    }

    @Test
    void a_fault_is_written_to_its_row() throws IOException {
        try (var table = FaultTable.create(file())) {
            table.arm(new Fault(FaultRole.WORKER, POINT, FaultAction.FAIL, List.of(28L), 3, Fault.UNLIMITED), 4711);

            var row = bytes().slice(ROW, 64).order(ByteOrder.nativeOrder());
            assertEquals(List.of(1, 2), List.of(row.getInt(), row.getInt()));
            assertEquals(List.of(3L, -1L, 28L), List.of(row.getLong(), row.getLong(), row.getLong()));
            assertEquals(4711, row.getInt(48));

            table.disarm(POINT);

            assertEquals(0, bytes().getInt(ROW));
        }
    }

    @Test
    void events_of_other_processes_are_read() throws IOException {
        FaultTable.create(file()).close();
        var bytes = bytes().putLong(24, 2).putLong(ROW + 40, 12); // the second event is incomplete
        bytes.position(FIRST_EVENT)
                .putLong(123456)
                .putInt(7)
                .putInt(3)
                .putInt(99)
                .putInt(4)
                .putLong(5000);
        Files.write(file(), bytes.array());

        try (var table = FaultTable.open(file())) {
            assertEquals(12, table.reached(POINT));
            assertEquals(2, table.eventCount());
            assertEquals(
                    List.of(new FaultEvent(123456, 7, FaultAction.DELAY, 99, FaultRole.DAEMON, 5000)), table.events());

            table.clear();

            assertEquals(0, table.reached(POINT));
            assertEquals(0, table.eventCount());
            assertEquals(List.of(), table.events());
        }
    }

    @Test
    void an_invalid_table_is_rejected() throws IOException {
        Files.writeString(file(), "something else");
        assertThrows(FileAlreadyExistsException.class, () -> FaultTable.create(file()));
        assertThrows(IOException.class, () -> FaultTable.open(file()));

        Files.delete(file());
        FaultTable.create(file()).close();
        Files.write(file(), bytes().putInt(4, 1).array()); // another version
        assertThrows(IOException.class, () -> FaultTable.open(file()));
    }
}
