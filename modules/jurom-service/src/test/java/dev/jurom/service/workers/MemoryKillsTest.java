// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.workers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the reading of both versions of cgroups. */
class MemoryKillsTest {

    @TempDir
    private Path folder;

    private Path cgroup(String name, String file, String text) throws IOException {
        var made = Files.createDirectory(folder.resolve(name));
        Files.writeString(made.resolve(file), text);
        return made;
    }

    @Test
    void both_versions_of_cgroups_have_a_count() throws IOException {
        var unified = cgroup("v2", "memory.events", "low 0\nhigh 5\nmax 9\noom 3\noom_kill 2\noom_group_kill 1\n");
        var first = cgroup("v1", "memory.oom_control", "oom_kill_disable 0\nunder_oom 1\noom_kill 7\n");
        var root = Files.createDirectory(folder.resolve("root")); // the root of the unified hierarchy has no file

        assertEquals(
                2, MemoryKills.in(Stream.of(root, unified, first)).orElseThrow().count());
        assertEquals(7, MemoryKills.in(Stream.of(first)).orElseThrow().count());
        assertEquals(Optional.empty(), MemoryKills.in(Stream.of(root, folder.resolve("absent"))));
    }

    @Test
    void only_a_higher_count_is_a_hint() throws IOException {
        var kills = MemoryKills.in(Stream.of(cgroup("v2", "memory.events", "oom_kill 2\n")))
                .orElseThrow();

        assertEquals("", kills.hint(2));
        assertTrue(kills.hint(1).contains(folder.resolve("v2") + " because its memory was exhausted"), kills.hint(1));
    }
}
