// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ucx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.runtime.internal.Environment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UcxTransportsTest {

    private static final String VARIABLE = "UCX_TLS";
    private static final Path NAMESPACE = Path.of("/proc/self/ns/pid");

    private String before;

    @BeforeEach
    void keep() {
        before = Environment.get(VARIABLE);
    }

    @AfterEach
    void restore() {
        Environment.restore(VARIABLE, before);
    }

    @Test
    void nothing_leaves_the_machine_when_nobody_has_said() throws IOException {
        Environment.remove(VARIABLE);

        var kind = isInFirstNamespace() ? "posix" : "sysv";
        assertEquals(Map.of("TLS", kind + ",cma,self"), UcxTransports.settings());
    }

    /** Returns whether this process is in the system's first PID namespace. */
    private static boolean isInFirstNamespace() throws IOException {
        return Files.readSymbolicLink(NAMESPACE).toString().equals("pid:[4026531836]");
    }

    @Test
    void without_a_folder_for_shared_memory_there_is_another_kind(@TempDir Path folder) {
        assertEquals("sysv,cma,self", UcxTransports.onThisMachine(folder.resolve("none"), NAMESPACE));
    }

    @Test
    void in_another_pid_namespace_there_is_another_kind_of_shared_memory() {
        var other = Path.of("/proc/self/ns/uts"); // with the inode of no PID namespace

        assertEquals("sysv,cma,self", UcxTransports.onThisMachine(Path.of("/dev/shm"), other));
    }

    @Test
    void shared_memory_is_referenced_by_files_not_descriptors() throws IOException {
        try (var context = UcxContext.open(EnumSet.of(UcxFeature.ACTIVE_MESSAGES), Map.of("TLS", "posix,self"));
                var worker = context.createWorker()) {
            assertTrue(worker.address().length > 0);
            var segments = Files.readAllLines(Path.of("/proc/self/maps")).stream()
                    .filter(line -> line.contains("/ucx_shm_posix_"))
                    .toList();
            assertFalse(segments.isEmpty());
            assertEquals(
                    List.of(),
                    segments.stream().filter(line -> line.endsWith("(deleted)")).toList());
        }
    }

    @Test
    void the_environment_overrides_the_default() {
        Environment.set(VARIABLE, "tcp");

        assertEquals(Map.of(), UcxTransports.settings());
    }
}
