// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jurom.fixture.Command;
import dev.jurom.fixture.ProcessSockets;
import dev.jurom.fixture.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests attacks of one user on another with a service of root for all users: with equal worker ids and
 * groups, with preloaded libraries, and with system interfaces for inspecting other processes.
 */
class CrossUserTest {

    private static final int DAEMON = 1;
    private static final int GAMES = 5;
    private static final Path SOURCES = Command.ROOT.resolve("src/test/c/attack");

    @TempDir
    private static Path folder;

    private static AttackedService service;
    private static HostProcess victim;
    private static HostProcess attacker;
    private static Path preloaded;
    private static Path witness;

    @BeforeAll
    static void open() throws IOException {
        requireRoot();
        service = new AttackedService(folder);
        compileTools();
        var socket = folder.resolve("socket");
        service.start(
                List.of(),
                Map.of("SECRET_OF_THE_SERVICE", "1"),
                "--listen",
                "unix:" + socket,
                "--plugin-transports",
                "posix,cma,self");
        var file = service.serviceFile("services", socket);
        victim = new HostProcess(
                service, folder, HostProcess.asUser("daemon", "daemon"), "DOCA_UROM_SERVICE_FILE=" + file);
        attacker =
                new HostProcess(service, folder, HostProcess.asUser("games", "60"), "DOCA_UROM_SERVICE_FILE=" + file);
        assertEquals("= connected", victim.answer());
        assertEquals("= connected", attacker.answer());
        assertTrue(victim.ask("start 5 worker_graph 3 WHO=victim").startsWith("= running"));
        assertTrue(attacker.ask("start 5 worker_graph 3 WHO=attacker LD_PRELOAD=" + preloaded + " WITNESS=" + witness)
                .contains("= running"));
    }

    private static void requireRoot() {
        var possible = Command.execute(List.of(
                                "sh",
                                "-c",
                                "[ $(id -u) = 0 ] && setpriv --reuid"
                                        + " daemon --regid daemon --init-groups -- true && setpriv --reuid"
                                        + " games --regid 60"
                                        + " --init-groups -- true"))
                        .exitCode()
                == 0;
        if (!possible) {
            System.out.println("Skipped: the attacks from one user on another, as this user is not"
                    + " root, or the users daemon and games are missing.");
        }
        assumeTrue(possible, "not root");
    }

    private static void compileTools() throws IOException {
        var tools = Files.createDirectory(folder.resolve("tools"));
        preloaded = tools.resolve("preloaded.so");
        Command.run(
                "cc",
                "-shared",
                "-fPIC",
                "-o",
                preloaded.toString(),
                SOURCES.resolve("preloaded.c").toString());
        Command.run(
                "cc",
                "-o",
                tools.resolve("intruder").toString(),
                SOURCES.resolve("intrude.c").toString());
        AttackedService.open(tools);
        witness = Files.createDirectory(folder.resolve("witness")).resolve("uids");
        Files.setPosixFilePermissions(witness.getParent(), PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    @AfterAll
    static void close() {
        for (var part : Arrays.asList(attacker, victim, service)) {
            if (part != null) {
                closeQuietly(part);
            }
        }
    }

    private static void closeQuietly(AutoCloseable part) {
        try {
            part.close();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static ProcessHandle workerOf(int userId) {
        return service.workers(userId).getFirst();
    }

    private static Path proc(ProcessHandle process, String name) {
        return Path.of("/proc/" + process.pid() + "/" + name);
    }

    @Test
    void equal_ids_and_groups_of_two_users_are_separate_workers() {
        assertEquals(1, service.workers(DAEMON).size());
        assertEquals(1, service.workers(GAMES).size());
        assertTrue(victim.ask("start 6 worker_graph 3").startsWith("= running"));

        assertEquals("= group [5]", attacker.ask("group 3"));
        var both = victim.ask("group 3");
        assertTrue(both.contains("5") && both.contains("6"), both);
        assertEquals("= value 11", attacker.ask("loop 11"));
        assertEquals("= value 12", victim.ask("loop 12"));
        assertEquals("= stopped", victim.ask("stop"));
        Waiting.until(
                "the second worker has exited", () -> service.workers(DAEMON).size() == 1);
    }

    @Test
    void a_worker_has_only_the_rights_of_its_user() throws IOException {
        var status = Files.readAllLines(proc(workerOf(DAEMON), "status")).stream()
                .map(line -> line.split(":\\s*", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1].strip()));

        assertEquals("1\t1\t1\t1", status.get("Uid"));
        assertEquals("1\t1\t1\t1", status.get("Gid"));
        assertEquals(groups("daemon"), words(status.get("Groups")));
        assertEquals("1", status.get("NoNewPrivs"));
        for (var set : List.of("CapInh", "CapPrm", "CapEff", "CapAmb")) {
            assertEquals("0000000000000000", status.get(set), set);
        }
        assertEquals(Path.of("/"), Files.readSymbolicLink(proc(workerOf(DAEMON), "cwd")));
    }

    private static Set<String> words(String text) {
        return new TreeSet<>(List.of(text.strip().split("\\s+")));
    }

    private static Set<String> groups(String user) {
        return words(Command.run("id", "-G", user));
    }

    @Test
    void a_worker_inherits_no_descriptor_of_the_service() throws IOException {
        try (var links = Files.list(proc(workerOf(DAEMON), "fd"))) {
            for (var link : links.toList()) {
                var target = Files.readSymbolicLink(link).toString();
                var number = Integer.parseInt(link.getFileName().toString());
                assertTrue(
                        target.matches("(pipe|socket):.*|anon_inode:.*|/dev/null" + "|/memfd:jurom_(ring|counters).*"),
                        number + " -> " + target);
                assertTrue(number < 64, number + " -> " + target);
            }
        }
    }

    @Test
    void the_environment_of_a_worker_contains_only_variables_of_its_user_and_host() throws IOException {
        var names = Arrays.stream(
                        Files.readString(proc(workerOf(DAEMON), "environ")).split("\0"))
                .collect(Collectors.toMap(v -> v.substring(0, v.indexOf('=')), v -> v.substring(v.indexOf('=') + 1)));

        assertEquals("victim", names.get("WHO"));
        assertEquals("daemon", names.get("USER"));
        assertEquals("daemon", names.get("LOGNAME"));
        var known = Set.of(
                "WHO",
                "USER",
                "LOGNAME",
                "HOME",
                "SHELL",
                "PATH",
                "UCX_TLS",
                "UCX_LOG_LEVEL",
                "TZ",
                "LANG",
                "UROM_WORKER_LOG_LEVEL");
        for (var name : names.keySet()) {
            assertTrue(known.contains(name) || name.startsWith("LC_"), name);
        }
    }

    /** The library must be loaded, but only into processes of the attacker. */
    @Test
    void a_preloaded_library_runs_only_as_its_user() throws IOException {
        assertTrue(victim.ask("start 9 worker_graph 3").startsWith("= running"));
        assertEquals("= stopped", victim.ask("stop"));
        Waiting.until("the worker has exited", () -> service.workers(DAEMON).size() == 1);

        var lines = Files.readAllLines(witness);
        assertFalse(lines.isEmpty());
        for (var line : lines) {
            assertEquals("5 5 5 60 60 60", line);
        }
    }

    /** Every line of the tool begins with "refused" or "no" if the attempt failed. */
    @Test
    void system_interfaces_give_no_access_to_workers_of_other_users() throws IOException {
        var process = workerOf(DAEMON);
        var socket = socketOf(process);
        var result = Command.run(
                "setpriv",
                "--reuid",
                "games",
                "--regid",
                "60",
                "--init-groups",
                "--",
                folder.resolve("tools/intruder").toString(),
                "" + process.pid(),
                socket.toString());

        assertEquals(10, result.lines().count(), result);
        result.lines().forEach(line -> assertTrue(line.startsWith("refused "), result));
        assertEquals("= value 13", victim.ask("loop 13"));
    }

    /** Returns the socket of a worker from /proc. */
    private static Path socketOf(ProcessHandle worker) throws IOException {
        try (var links = Files.list(proc(worker, "fd"))) {
            var inodes = links.map(CrossUserTest::target)
                    .filter(t -> t.startsWith("socket:["))
                    .map(t -> t.substring("socket:[".length(), t.length() - 1))
                    .collect(Collectors.toSet());
            return Files.readAllLines(Path.of("/proc/net/unix")).stream()
                    .map(line -> line.strip().split("\\s+"))
                    .filter(words -> words.length == 8 && inodes.contains(words[6]))
                    .map(words -> Path.of(words[7]))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException e) {
            return "";
        }
    }

    /** UCX binds an abstract socket for each plugin that uses shared memory, which cannot be disabled. */
    @Test
    void datagrams_to_the_sockets_of_ucx_do_not_stop_or_occupy_a_worker() {
        var before = service.workers(DAEMON);
        assertTrue(
                victim.ask("start 11 worker_graph,worker_sandbox,worker_rdmo -").startsWith("= running"));
        var worker = service.workers(DAEMON).stream()
                .filter(w -> !before.contains(w))
                .findFirst()
                .orElseThrow();
        var sockets = ProcessSockets.abstractUnix(worker.pid());
        assertEquals(2, sockets.size(), sockets.toString());
        assertEquals(Set.of(), ProcessSockets.internet(worker.pid()));

        for (var socket : sockets) {
            assertTrue(socket.startsWith("datagram @"), socket);
            var taken = Command.run(
                    "setpriv",
                    "--reuid",
                    "games",
                    "--regid",
                    "60",
                    "--init-groups",
                    "--",
                    folder.resolve("tools/intruder").toString(),
                    "datagrams",
                    socket.substring("datagram @".length()));
            assertTrue(taken.matches("[1-9][0-9]* taken\n"), taken);
        }

        assertEquals("= value 14", victim.ask("loop 14"));
        Waiting.until("the worker sleeps until the next event", () -> sleepMilliseconds(worker) > 1000);
        assertEquals("= stopped", victim.ask("stop"));
        Waiting.until("the worker has exited", () -> !worker.isAlive());
    }

    /** Returns the timeout of a process that waits for events in the kernel. */
    private static long sleepMilliseconds(ProcessHandle process) {
        var words = text(proc(process, "syscall")).strip().split(" ");
        return words.length < 5 ? 0 : Long.decode(words[4]);
    }

    @Test
    void a_listener_of_another_user_receives_no_byte() throws IOException {
        var socket = Files.createDirectory(folder.resolve("fake")).resolve("socket");
        Files.setPosixFilePermissions(socket.getParent(), PosixFilePermissions.fromString("rwxrwxrwx"));
        var output = folder.resolve("received");
        var listener = new ProcessBuilder(
                        "setpriv",
                        "--reuid",
                        "games",
                        "--regid",
                        "60",
                        "--init-groups",
                        "--",
                        folder.resolve("tools/intruder").toString(),
                        "listen",
                        socket.toString())
                .redirectOutput(output.toFile())
                .start();
        try {
            Waiting.until("the listener is ready", () -> text(output).contains("listening\n"));
            var file = service.serviceFile("fake-services", socket);
            for (var user : List.of("daemon", "root")) {
                try (var host = new HostProcess(
                        service, folder, HostProcess.asUser(user, user), "DOCA_UROM_SERVICE_FILE=" + file)) {
                    var answer = host.answer();
                    assertTrue(answer.contains("= refused"), answer);
                    assertTrue(answer.contains("NOT_PERMITTED"), answer);
                }
            }
            Waiting.until(
                    "both have connected and" + " disconnected",
                    () -> text(output).equals("listening\n0 bytes\n0 bytes\n"));
        } finally {
            listener.destroyForcibly();
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void a_service_of_an_ordinary_user_rejects_other_users_and_root() throws IOException {
        var directory = Files.createDirectory(folder.resolve("private"));
        Command.run("chown", "daemon:daemon", directory.toString());
        var copy = Files.createDirectory(folder.resolve("second"));
        var socket = directory.resolve("socket");
        try (var own = new AttackedService(copy)) {
            own.start(
                    HostProcess.asUser("daemon", "daemon"),
                    Map.of("XDG_RUNTIME_DIR", ""),
                    "--listen",
                    "unix:" + socket);
            assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)));
            var file = own.serviceFile("services", socket);
            Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-rw-rw-"));
            for (var user : List.of("games", "root")) {
                try (var host = new HostProcess(
                        own,
                        copy,
                        HostProcess.asUser(user, user.equals("games") ? "60" : "root"),
                        "DOCA_UROM_SERVICE_FILE=" + file)) {
                    var answer = host.answer();
                    assertTrue(answer.contains("= refused"), user + ": " + answer);
                    assertTrue(answer.contains("NOT_PERMITTED"), user + ": " + answer);
                }
            }
            try (var host = new HostProcess(
                    own, copy, HostProcess.asUser("daemon", "daemon"), "DOCA_UROM_SERVICE_FILE=" + file)) {
                assertEquals("= connected", host.answer());
            }
        }
    }
}
