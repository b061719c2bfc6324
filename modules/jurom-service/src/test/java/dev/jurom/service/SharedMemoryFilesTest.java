// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jurom.fixture.Command;
import dev.jurom.fixture.Waiting;
import dev.jurom.service.files.Credentials;
import dev.jurom.service.identity.Account;
import dev.jurom.service.settings.DaemonConfiguration;
import dev.jurom.service.wire.Frame;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a killed worker leaves no files of UCX in {@code /dev/shm}. */
class SharedMemoryFilesTest {

    private static final Account GAMES = Account.named("games").orElseThrow();
    private static final Account DAEMON = Account.named("daemon").orElseThrow();
    private static final Path FOLDER = Path.of("/dev/shm");
    private static final String PREFIX = "ucx_shm_posix_";
    private static final Pattern MAPPED = Pattern.compile("/dev/shm/" + PREFIX + "[0-9a-f]+");

    @TempDir
    private Path folder;

    private final List<Path> made = new ArrayList<>();
    private UromDaemon daemon;
    private TestHost host;

    @BeforeEach
    void start() {
        daemon = TestDaemon.start(TestDaemon.configuration(), folder);
        host = new TestHost(daemon.address());
    }

    @AfterEach
    void end() throws IOException {
        host.close();
        daemon.close();
        for (var file : made) {
            Files.deleteIfExists(file);
        }
    }

    private long startSandbox() {
        host.hello(DaemonConfiguration.DEFAULT_MAX_MESSAGE_SIZE);
        var plugin = host.receive(Frame.Welcome.class).plugins().stream()
                .filter(offered -> offered.name().equals("worker_sandbox"))
                .findFirst()
                .orElseThrow();
        host.spawnAny(plugin.id());
        return host.receive(Frame.Spawned.class).processId();
    }

    private void kill(long process) {
        Command.run("kill", "-KILL", Long.toString(process));
        host.receive(Frame.WorkerGone.class);
    }

    private Path name() {
        var path = FOLDER.resolve(PREFIX + Long.toHexString(System.nanoTime()));
        made.add(path);
        return path;
    }

    private Path create() throws IOException {
        var file = Files.createFile(
                name(), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(file, "left");
        return file;
    }

    private static void give(Path file, Account account) throws IOException {
        Files.setAttribute(file, "unix:uid", account.userId());
    }

    private static boolean exists(Path file) {
        return Files.exists(file, LinkOption.NOFOLLOW_LINKS);
    }

    /** Returns the files that a process has mapped. */
    private static List<Path> filesOf(long process) throws IOException {
        return MAPPED.matcher(Files.readString(Path.of("/proc", Long.toString(process), "maps")))
                .results()
                .map(found -> Path.of(found.group()))
                .distinct()
                .toList();
    }

    @Test
    void a_killed_sandbox_worker_leaves_no_files() throws IOException {
        var process = startSandbox();
        var files = new ArrayList<>(filesOf(process));
        assumeTrue(!files.isEmpty(), "UCX does not use /dev/shm here");
        files.add(create()); // as if killed after creating it

        kill(process);

        Waiting.until("the files are removed", () -> files.stream().noneMatch(SharedMemoryFilesTest::exists));
    }

    @Test
    void a_file_in_use_is_removed_when_the_host_has_left() throws IOException {
        var process = startSandbox();
        var free = create();
        var used = create();

        try (var peer = FileChannel.open(used, StandardOpenOption.WRITE)) {
            kill(process);
            Waiting.until("the other file is removed", () -> !exists(free));
            assertTrue(exists(used));
            assertTrue(peer.isOpen());
        }
        Waiting.until("the file is removed", () -> {
            host.close();
            host = TestHost.admitted(daemon); // another session, because the sweep may be running
            return !exists(used);
        });
    }

    @Test
    void files_of_another_user_are_removed_with_the_rights_of_that_user() throws IOException {
        assumeTrue(Credentials.ofThisProcess().mayChangeUser(), "may not change users");
        var wanted = create();
        give(wanted, GAMES);
        var others = create();
        give(others, DAEMON);

        Command.run(TestDaemon.workerProgram().toString(), "--sweep", Integer.toString(GAMES.userId()));

        assertFalse(exists(wanted));
        assertTrue(exists(others));
    }

    @Test
    void links_and_files_of_other_users_remain() throws IOException {
        var process = startSandbox();
        var free = create();
        var target = Files.writeString(folder.resolve("target"), "kept");
        var link = Files.createSymbolicLink(name(), target);
        var others = create();
        if (Credentials.ofThisProcess().mayChangeUser()) {
            give(others, GAMES);
        } else {
            Files.delete(others);
        }
        var kept = exists(others);

        kill(process);

        Waiting.until("the other file is removed", () -> !exists(free));
        assertTrue(exists(link) && exists(target));
        assertTrue(!kept || exists(others));
    }
}
