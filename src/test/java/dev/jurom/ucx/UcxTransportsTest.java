// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ucx;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jurom.runtime.internal.Environment;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UcxTransportsTest {

    private static final String VARIABLE = "UCX_TLS";

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
    void nothing_leaves_the_machine_when_nobody_has_said() {
        Environment.remove(VARIABLE);

        assertEquals(Map.of("TLS", "posix,cma,self"), UcxTransports.settings());
    }

    @Test
    void without_a_folder_for_shared_memory_there_is_another_kind(@TempDir Path folder) {
        assertEquals("sysv,cma,self", UcxTransports.onThisMachine(folder.resolve("none")));
    }

    @Test
    void the_environment_has_the_last_word() {
        Environment.set(VARIABLE, "tcp");

        assertEquals(Map.of(), UcxTransports.settings());
    }
}
