// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.hostile;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.Waiting;
import dev.jurom.runtime.internal.SoftwareInstallation;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests false worker programs: a script runs the real worker for worker_graph, and another command for each
 * other plugin.
 */
class HostileWorkerTest {

    /** Sends READY like a worker. */
    private static final String READY =
            "printf 'JU\\003\\025\\010\\000\\000\\000\\000\\000\\000\\000\\000\\000\\000\\000"
                    + "\\001\\000\\000\\000\\000\\000\\000\\000'";

    private static final Map<String, String> EVILS = Map.ofEntries(
            Map.entry("nonsense", "head -c 100000 /dev/zero; exec sleep 60"),
            Map.entry("nonsense_later", READY + "; head -c 100000 /dev/zero; exec sleep 60"),
            Map.entry("flood", READY + "; exec yes JUROM"),
            Map.entry("flood_of_frames", READY + "; exec yes \"$(" + READY + " | tr '\\000'" + " '\\001')\""),
            Map.entry(
                    "enormous",
                    READY + "; printf 'JU\\003\\032\\377\\377\\377\\377\\000\\000"
                            + "\\000\\000\\000\\000\\000\\000'; exec sleep 60"),
            Map.entry(
                    "enormous_at_once",
                    "printf 'JU\\003\\025\\377\\377\\377\\377\\000\\000\\000"
                            + "\\000\\000\\000\\000\\000'; exec sleep 60"),
            Map.entry("half", READY + "; printf 'JU\\003'; exec sleep 60"),
            Map.entry("deaf", READY + "; exec sleep 60"),
            Map.entry("closed", READY + "; exec sleep 60 >&-"),
            Map.entry("closed_at_once", "exec sleep 60 >&-"),
            Map.entry("gone", "exit 0"));

    /** Programs that use up the start timeout of 15 s, for long runs only. */
    private static final Map<String, String> SLOW_EVILS = Map.of(
            "silent", "trap '' TERM HUP INT PIPE; exec sleep 60",
            "flood_of_errors", "exec cat /dev/zero >&2");

    /** Far less than the hang timeout. */
    private static final Duration NOTICE = Duration.ofSeconds(8);

    @TempDir
    private Path folder;

    private AttackedService service;
    private HostProcess host;
    private HostProcess other;
    private final Map<String, String> evils = new TreeMap<>(EVILS);

    @BeforeEach
    void open() throws IOException {
        if (Boolean.getBoolean("jurom.long")) {
            evils.putAll(SLOW_EVILS);
        }
        service = new AttackedService(folder);
        var plugins = Files.createDirectory(folder.resolve("plugins"));
        var graph = SoftwareInstallation.current().plugins().resolve("worker_graph.so");
        Files.copy(graph, plugins.resolve("worker_graph.so"));
        var script = new StringBuilder("#!/bin/sh\ncase $1 in --monitor) exec " + service.installation()
                + "/bin/urom_worker \"$@\" ;; --probe*) echo version=1; exit 0 ;;"
                + " esac\ncase $2 in\n*/worker_graph.so:*) exec " + service.installation()
                + "/bin/urom_worker \"$@\" ;;\n");
        for (var evil : evils.entrySet()) {
            Files.writeString(plugins.resolve(evil.getKey() + ".so"), "");
            script.append("*/" + evil.getKey() + ".so:*) " + evil.getValue() + " ;;\n");
        }
        Files.writeString(plugins.resolve("child.so"), "");
        script.append("*/child.so:*) " + READY + "; sleep 30 & echo $! > " + folder + "/child; until [ -e " + folder
                + "/go ]; do sleep 0.01; done; exit 7 ;;\nesac\n");
        Files.writeString(folder.resolve("worker"), script);
        AttackedService.open(plugins);
        Files.setPosixFilePermissions(folder.resolve("worker"), PosixFilePermissions.fromString("rwxr-xr-x"));
        var socket = folder.resolve("socket");
        service.start(
                List.of(),
                Map.of("UROM_PLUGIN_PATH", plugins.toString()),
                "--listen",
                "unix:" + socket,
                "--worker",
                folder.resolve("worker").toString(),
                "--log-dir",
                folder.resolve("logs").toString(),
                "--hang-timeout",
                "20");
        var file = service.serviceFile("services", socket);
        host = new HostProcess(service, folder, List.of(), "DOCA_UROM_SERVICE_FILE=" + file);
        other = new HostProcess(service, folder, List.of(), "DOCA_UROM_SERVICE_FILE=" + file);
        assertEquals("= connected", host.answer());
        assertEquals("= connected", other.answer());
        assertTrue(other.ask("start 5 worker_graph -").startsWith("= running"));
    }

    @AfterEach
    void close() throws IOException {
        host.close();
        other.close();
        service.close();
        if (Files.exists(folder.resolve("child"))) {
            ProcessHandle.of(Long.parseLong(
                            Files.readString(folder.resolve("child")).strip()))
                    .ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    /** Starts the false workers sequentially; none runs, and the service and other workers continue. */
    @Test
    void a_false_worker_ends_without_affecting_others() {
        var id = 100;
        for (var evil : evils.keySet()) {
            host.send("start " + id++ + " " + evil + " -");
            assertEquals("= value 1", other.ask("loop 1"));
        }
        for (var evil : evils.keySet()) {
            var answer = host.answer();
            assertTrue(answer.contains("= refused"), evil + ": " + answer);
        }
        assertEquals("= value 2", other.ask("loop 2"));
        assertTrue(other.ask("start 6 worker_graph -").startsWith("= running"));
        Waiting.until("only the real workers are left", () -> service.workers(0).size() == 2);
    }

    /**
     * The child keeps the pipe to the service open, like a helper forked by a plugin. The service must not
     * wait for the end of the pipe to detect the exit of the worker.
     */
    @Test
    void the_exit_of_a_worker_that_leaves_a_child_is_detected() throws IOException {
        try (var raw = SocketChannel.open(UnixDomainSocketAddress.of(folder.resolve("socket")))) {
            raw.write(ByteBuffer.wrap(RawFrames.hello()));
            var plugin = pluginId(receive(raw), "child");
            var spawn = RawFrames.frame(RawFrames.SPAWN, 160, 160);
            ByteBuffer.wrap(spawn)
                    .order(LITTLE_ENDIAN)
                    .putLong(RawFrames.HEADER_SIZE, 100)
                    .putLong(RawFrames.HEADER_SIZE + 8, plugin);
            raw.write(ByteBuffer.wrap(spawn));
            assertEquals(RawFrames.SPAWNED, receive(raw).get(3));
            Waiting.until("the child is running", () -> Files.exists(folder.resolve("child")));
            Files.createFile(folder.resolve("go"));
            raw.configureBlocking(false);

            var gone = ByteBuffer.allocate(4096).order(LITTLE_ENDIAN);
            Waiting.within(NOTICE, "the service reports the exit of the worker", () -> {
                try {
                    return raw.read(gone) > 0;
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            assertEquals(RawFrames.WORKER_GONE, gone.get(3));
            assertEquals(7, gone.getInt(RawFrames.HEADER_SIZE + 8));
        }
        assertEquals("= value 3", other.ask("loop 3"));
    }

    private static ByteBuffer receive(SocketChannel channel) throws IOException {
        var frame = ByteBuffer.allocate(8192).order(LITTLE_ENDIAN).limit(RawFrames.HEADER_SIZE);
        while (frame.hasRemaining()) {
            assertTrue(channel.read(frame) > 0);
        }
        frame.limit(RawFrames.HEADER_SIZE + frame.getInt(4));
        while (frame.hasRemaining()) {
            assertTrue(channel.read(frame) > 0);
        }
        return frame;
    }

    /** Returns the id of a plugin from WELCOME. */
    private static long pluginId(ByteBuffer welcome, String name) {
        for (var at = RawFrames.HEADER_SIZE + 16 + 128; at < welcome.limit(); at += 64) {
            var bytes = new byte[48];
            welcome.get(at + 16, bytes);
            if (new String(bytes, StandardCharsets.UTF_8).replace("\0", "").equals(name)) {
                return welcome.getLong(at);
            }
        }
        throw new AssertionError("plugin not found: " + name);
    }
}
