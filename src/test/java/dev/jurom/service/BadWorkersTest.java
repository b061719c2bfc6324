// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.core.DocaError;
import dev.jurom.testing.Waiting;
import dev.jurom.urom.CpuSet;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Worker programs that do what they should not; and what any worker is given. */
class BadWorkersTest {

    private static final Frame READY = new Frame.Ready(0, 4711, Bytes.of((byte) 1, (byte) 2));

    private static final Deadlines STARTS_SOON = TestDaemon.shortStart(Duration.ofMillis(500));
    /** A real worker's behaviour: it ends when its standard input does. */
    private static final String LEAVE_WHEN_TOLD = "exec cat > /dev/null";

    @TempDir
    private Path folder;

    /** A service whose workers run these shell commands. */
    private UromDaemon start(String... commands) {
        return start(TestDaemon.shortLeave(Duration.ofMillis(300)), commands);
    }

    private UromDaemon start(Deadlines deadlines, String... commands) {
        return TestDaemon.start(DaemonConfiguration.local(TestDaemon.script(folder, commands),
                List.of(TestDaemon.onePlugin(folder))), folder, deadlines);
    }

    /** A shell command that writes a frame. */
    private static String write(Frame frame) {
        return write(FrameEncoder.encode(frame));
    }

    private static String write(byte[] bytes) {
        var octal = new StringBuilder("printf '");
        for (var b : bytes) {
            octal.append("\\%03o".formatted(Byte.toUnsignedInt(b)));
        }
        return octal.append("'").toString();
    }

    private void assertNotStarted(DocaError error, String words, String... commands) {
        assertNotStarted(TestDaemon.shortLeave(Duration.ofMillis(300)), error, words, commands);
    }

    private void assertNotStarted(Deadlines deadlines, DocaError error, String words,
            String... commands) {
        try (var daemon = start(deadlines, commands); var host = TestHost.admitted(daemon)) {
            var spawn = host.spawnAny(1);
            var answer = host.receive(Frame.Failure.class);

            assertEquals(spawn.requestId(), answer.requestId());
            assertEquals(error, answer.error(), answer.text());
            assertTrue(answer.text().contains(words), answer.text());
            awaitNoProcess();
            host.spawnAny(1); // the service goes on
            assertEquals(error, host.receive(Frame.Failure.class).error());
        }
    }

    private void awaitNoProcess() {
        Waiting.until("no worker process is left",
                () -> TestDaemon.workers(folder.resolve("worker.sh")).isEmpty());
    }

    @Test
    void a_worker_that_ends_at_once_is_reported() {
        assertNotStarted(DocaError.INITIALIZATION, "ended before it was ready", "exit 3");
    }

    @Test
    void a_worker_that_says_nothing_is_killed() {
        assertNotStarted(STARTS_SOON, DocaError.TIME_OUT, "500 ms", "exec sleep 1000");
    }

    @Test
    void a_worker_that_writes_anything_else_is_killed() {
        assertNotStarted(DocaError.UNEXPECTED, "no frame", "echo 'hello, this is your worker'",
                "exec sleep 1000");
    }

    @Test
    void a_worker_that_writes_another_frame_is_killed() {
        assertNotStarted(DocaError.UNEXPECTED, "neither READY nor ERROR",
                write(new Frame.Detached(0)), "exec sleep 1000");
    }

    @Test
    void a_worker_that_announces_a_huge_frame_is_killed() {
        var huge = FrameEncoder.encode(READY);
        huge[6] = 15; // 983,040 bytes and more
        assertNotStarted(DocaError.UNEXPECTED, "no frame", write(huge), "exec sleep 1000");
    }

    @Test
    void half_an_answer_is_none() {
        var half = Arrays.copyOf(FrameEncoder.encode(READY), 20);
        assertNotStarted(DocaError.INITIALIZATION, "ended before it was ready", write(half));
    }

    @Test
    void what_a_worker_says_is_wrong_is_passed_on() {
        assertNotStarted(DocaError.NOT_FOUND, "plugin X is gone",
                write(new Frame.Failure(0, DocaError.NOT_FOUND, "plugin X is gone")), "exit 1");
    }

    @Test
    void a_worker_that_does_not_leave_is_killed() {
        try (var daemon = start(write(READY), "exec sleep 1000");
             var host = TestHost.admitted(daemon)) {
            host.spawnAny(1);
            var workerId = host.receive(Frame.Spawned.class).workerId();
            Waiting.until("the worker is asleep",
                    () -> TestDaemon.workers(Path.of("sleep")).size() == 1);

            host.release(workerId);

            Waiting.until("the worker is killed",
                    () -> TestDaemon.workers(Path.of("sleep")).isEmpty());
            assertTrue(TestDaemon.log(folder).contains("did not leave"));
        }
    }

    @Test
    void the_service_does_not_wait_for_workers_that_do_not_leave() {
        var daemon = start(write(READY), "exec sleep 1000");
        try (var host = TestHost.admitted(daemon)) {
            host.spawnAny(1);
            host.receive(Frame.Spawned.class);
            Waiting.until("the worker is asleep",
                    () -> TestDaemon.workers(Path.of("sleep")).size() == 1);
            daemon.close();
        }
        assertTrue(TestDaemon.workers(Path.of("sleep")).isEmpty());
    }

    @Test
    void a_stuck_start_does_not_keep_others_waiting() {
        try (var daemon = start(STARTS_SOON, "exec sleep 1000");
             var host = TestHost.admitted(daemon)) {
            host.spawnAny(1);
            host.send(new Frame.GetGroup(99, 1));

            assertEquals(new Frame.Group(99, List.of()), host.receive());
            assertEquals(DocaError.TIME_OUT, host.receive(Frame.Failure.class).error());
        }
    }

    @Test
    void a_worker_that_ends_by_itself_is_reported_with_its_exit_code() {
        try (var daemon = start(write(READY), "exit 42"); var host = TestHost.admitted(daemon)) {
            var spawn = host.spawnAny(1);
            var spawned = host.receive(Frame.Spawned.class);

            assertEquals(new Frame.WorkerGone(spawn.requestId(), spawned.workerId(), 42),
                    host.receive());
        }
    }

    @Test
    void a_program_that_cannot_be_run_any_more_is_reported() throws IOException {
        try (var daemon = start("exit 1"); var host = TestHost.admitted(daemon)) {
            Files.delete(folder.resolve("worker.sh"));
            host.spawnAny(1);

            var answer = host.receive(Frame.Failure.class);
            assertEquals(DocaError.OPERATING_SYSTEM, answer.error());
            assertTrue(answer.text().contains("worker.sh"), answer.text());
        }
    }

    @Test
    void a_worker_gets_its_arguments_environment_and_configuration() throws IOException {
        var output = folder.resolve("given");
        try (var daemon = start("echo \"$@\" > " + output, "echo \"$GREETING|$OTHER|$UCX_TLS\" >> "
                + output, "head -c 192 | od -An -v -tx1 >> " + output, write(READY),
                LEAVE_WHEN_TOLD);
             var host = TestHost.admitted(daemon)) {
            host.send(new Frame.Spawn(1, 77, 1, OptionalInt.empty(), Optional.of(CpuSet.of(0)),
                    List.of("GREETING=hello = world", "OTHER=")));
            var spawned = host.receive(Frame.Spawned.class);

            var lines = Files.readAllLines(output);
            assertEquals(folder.resolve("plugins/anything.so") + ":1", lines.get(0));
            assertEquals("hello = world||", lines.get(1));
            var hex = String.join("", lines.subList(2, lines.size())).replace(" ", "");
            assertEquals(HexFormat.of().formatHex(FrameEncoder.encode(new Frame.Configure(0,
                    spawned.token(), 77, DaemonConfiguration.DEFAULT_MAX_MESSAGE_SIZE,
                    Optional.of(CpuSet.of(0))))), hex);
        }
    }

    @Test
    void the_worker_of_another_user_does_not_use_shared_memory() throws IOException {
        var output = folder.resolve("given");
        try (var daemon = start("echo \"$UCX_TLS\" > " + output, write(READY),
                LEAVE_WHEN_TOLD);
             var host = new TestHost(daemon.address())) {
            host.authenticate(ServiceKey.none(), DaemonConfiguration.DEFAULT_MAX_MESSAGE_SIZE,
                    TestHost.USER_ID + 1);
            host.receive(Frame.Welcome.class);
            host.spawnAny(1);
            host.receive(Frame.Spawned.class);
            assertEquals("tcp,self\n", Files.readString(output));

            host.spawn(9, 1, OptionalInt.empty(), List.of("UCX_TLS=tcp"));
            host.receive(Frame.Spawned.class);
            assertEquals("tcp\n", Files.readString(output));
        }
    }

    @Test
    void standard_error_goes_to_the_log_of_the_worker() throws IOException {
        try (var daemon = start("echo 'a word from the worker' >&2", write(READY), LEAVE_WHEN_TOLD);
             var host = TestHost.admitted(daemon)) {
            host.spawnAny(1);
            host.receive(Frame.Spawned.class);
        }
        try (var logs = Files.newDirectoryStream(folder, "urom_worker_*_dev.log")) {
            var log = logs.iterator().next();
            assertEquals("a word from the worker\n", Files.readString(log, StandardCharsets.UTF_8));
            assertEquals(PosixFilePermissions.fromString("rw-------"),
                    Files.getPosixFilePermissions(log));
        }
    }
}
