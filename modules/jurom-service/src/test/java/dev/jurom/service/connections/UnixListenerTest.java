// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.connections;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jurom.fixture.Waiting;
import dev.jurom.runtime.DaemonException;
import dev.jurom.runtime.LogLevel;
import dev.jurom.service.files.Credentials;
import dev.jurom.service.linux.Poller;
import dev.jurom.service.logs.ServiceLog;
import dev.jurom.service.settings.ListenAddress;
import dev.jurom.service.threads.ServiceThreads;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the sockets of services: their permissions, and existing files at their paths. */
class UnixListenerTest {

    private static final Credentials OWN = Credentials.ofThisProcess();

    @TempDir
    private Path folder;

    private ServiceLog log;
    private ServiceThreads threads;
    private Poller poller;

    @BeforeEach
    void openLog() throws IOException {
        threads = new ServiceThreads();
        poller = new Poller(threads.factory("poller"));
        log = ServiceLog.toStandardError(LogLevel.ERROR);
    }

    @AfterEach
    void closeLog() {
        poller.close();
        threads.close();
        log.close();
    }

    private UnixListener open(Path path, boolean forAll) {
        return UnixListener.open(new ListenAddress.Unix(path), OWN, forAll, log, threads, poller, socket -> {});
    }

    private void assertRefused(Path path, String words) {
        var thrown = assertThrows(DaemonException.class, () -> open(path, false));
        assertTrue(thrown.getMessage().contains(words), thrown.getMessage());
        assertTrue(thrown.getMessage().contains(path.toString()), thrown.getMessage());
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void a_listener_continues_after_any_failure() {
        var failures = new ArrayDeque<Throwable>(List.of(
                new OutOfMemoryError("no memory"), new StackOverflowError(), new IllegalStateException("a defect")));
        var accepted = new AtomicInteger();
        try (var listener = new Listener(log, threads) {
            @Override
            public ListenAddress address() {
                return new ListenAddress.Unix(folder.resolve("socket"));
            }

            @Override
            public void accept() {
                var failure = failures.poll();
                if (failure instanceof Error error) {
                    throw error;
                } else if (failure instanceof RuntimeException exception) {
                    throw exception;
                }
                accepted.incrementAndGet();
            }

            @Override
            public void stop() {
                // no socket is open
            }
        }) {
            var notAccepted = new AtomicInteger();
            listener.start(notAccepted::incrementAndGet);

            Waiting.until("a connection is accepted", () -> accepted.get() > 0);
            assertEquals(3, notAccepted.get());
        }
    }

    @Test
    void a_socket_of_ones_own_is_private() throws IOException {
        var path = folder.resolve("new/urom.sock");
        try (var listener = open(path, false)) {
            assertEquals("rw-------", permissions(path));
            assertEquals("rwx------", permissions(path.getParent()));
            assertEquals(List.of(path), list(path.getParent()));
        }
        assertFalse(Files.exists(path));
    }

    private static List<Path> list(Path directory) throws IOException {
        try (var files = Files.list(directory)) {
            return files.toList();
        }
    }

    @Test
    void a_socket_for_all_can_be_reached_by_all_and_replaced_by_none() throws IOException {
        var path = folder.resolve("new/urom.sock");
        try (var listener = open(path, true)) {
            assertEquals("rw-rw-rw-", permissions(path));
            assertEquals("rwxr-xr-x", permissions(path.getParent()));
        }
    }

    @Test
    void the_socket_of_a_killed_service_is_replaced() throws IOException {
        var path = folder.resolve("socket");
        try (var dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            dead.bind(UnixDomainSocketAddress.of(path));
        }
        assertTrue(Files.exists(path));

        open(path, false).close();
    }

    @Test
    void the_socket_of_a_running_service_is_not_replaced() throws IOException {
        var path = folder.resolve("socket");
        try (var living = open(path, false)) {
            assertRefused(path, "another service listens there");
            assertTrue(Files.exists(path));
        }
    }

    @Test
    void a_socket_with_a_full_backlog_is_not_replaced() throws IOException {
        var path = folder.resolve("socket");
        try (var living = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            living.bind(UnixDomainSocketAddress.of(path), 1);
            for (var i = 0; i < 4; i++) {
                assertRefused(path, "another service listens there");
            }
        }
    }

    @Test
    void a_file_that_is_not_a_socket_remains() throws IOException {
        var path = Files.writeString(folder.resolve("file"), "precious");
        assertRefused(path, "not a socket");
        assertEquals("precious", Files.readString(path));
    }

    @Test
    void a_directory_where_others_can_write_is_refused() throws IOException {
        var directory = Files.createDirectory(folder.resolve("open"));
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertRefused(directory.resolve("socket"), "chmod go-w");
    }

    @Test
    void a_directory_that_others_could_exchange_is_refused() throws IOException {
        var above = Files.createDirectory(folder.resolve("above"));
        var directory = Files.createDirectory(above.resolve("own"));
        Files.setPosixFilePermissions(above, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertRefused(directory.resolve("socket"), "others can write to " + above);
        assertRefused(above.resolve("new/socket"), "others can write to " + above);
    }

    @Test
    void a_link_of_another_user_on_the_way_is_refused() throws IOException {
        assumeTrue(OWN.userId() == Credentials.ROOT, "cannot give files away");
        var link = Files.createSymbolicLink(folder.resolve("link"), Files.createDirectory(folder.resolve("own")));
        open(link.resolve("socket"), false).close();

        Files.setAttribute(link, "unix:uid", 4242, LinkOption.NOFOLLOW_LINKS);

        assertRefused(link.resolve("socket"), link + " belongs to user 4242");
    }

    @Test
    void a_socket_that_has_been_replaced_is_not_removed() throws IOException {
        var path = folder.resolve("socket");
        try (var first = open(path, false)) {
            Files.delete(path);
            try (var second = open(path, false)) {
                first.close();
                assertTrue(Files.exists(path));
            }
        }
    }
}
