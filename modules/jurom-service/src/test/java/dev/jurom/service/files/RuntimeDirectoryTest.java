// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.Waiting;
import dev.jurom.service.DaemonProcess;
import dev.jurom.service.TestHost;
import dev.jurom.service.wire.Frame;
import dev.jurom.service.wire.FrameRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the runtime directories of services, which are private and removed after the service exits. */
class RuntimeDirectoryTest {

    private static final Credentials OWN = Credentials.ofThisProcess();

    @TempDir
    private Path folder;

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void it_is_private_unless_all_users_are_served() throws IOException {
        try (var own = RuntimeDirectory.open(OWN, false)) {
            assertEquals("rwx------", permissions(own.path()));
        }
        if (OWN.mayChangeUser()) {
            try (var all = RuntimeDirectory.open(OWN, true)) {
                assertEquals("rwx--x--x", permissions(all.path()));
                assertEquals("rwxr-xr-x", permissions(all.path().getParent()));
            }
        }
    }

    @Test
    void it_is_deleted_with_its_content() throws IOException {
        Path path;
        try (var directory = RuntimeDirectory.open(OWN, false)) {
            path = directory.path();
            Files.createFile(directory.workerSocket());
        }
        assertFalse(Files.exists(path));
    }

    @Test
    void the_directories_of_running_services_remain() throws IOException {
        try (var first = RuntimeDirectory.open(OWN, false);
                var second = RuntimeDirectory.open(OWN, false);
                var third = RuntimeDirectory.open(OWN, false)) {
            assertTrue(Files.exists(first.path()));
            assertTrue(Files.exists(second.path()));
            assertNotEquals(first.path(), third.path());
        }
    }

    @Test
    void the_directory_of_a_killed_service_is_removed_by_the_next() throws IOException {
        try (var daemon = new DaemonProcess(folder, Map.of(), "--listen", "unix:" + folder.resolve("socket"));
                var host = TestHost.admitted(new TestHost(daemon.address()))) {
            host.spawnAny(1);
            var socket = Path.of(host.receive(Frame.Spawned.class).address().substring("unix:".length()));
            try (var living = RuntimeDirectory.open(OWN, false)) {
                assertTrue(Files.exists(socket));
            }

            daemon.kill();

            daemon.awaitEnd();
            Waiting.until("the next service removes it", () -> {
                try (var next = RuntimeDirectory.open(OWN, false)) {
                    return !Files.exists(socket.getParent());
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
        }
    }

    @Test
    void paths_of_workers_differ_and_are_short_enough() throws IOException {
        try (var directory = RuntimeDirectory.open(OWN, false)) {
            assertNotEquals(directory.workerSocket(), directory.workerSocket());
            FrameRules.requireSocketPath(directory.workerSocket().toString());
        }
    }
}
