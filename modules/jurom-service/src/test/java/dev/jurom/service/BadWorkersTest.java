// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import static dev.jurom.service.TestDaemon.write;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.core.DocaError;
import dev.jurom.fixture.Waiting;
import dev.jurom.runtime.LogLevel;
import dev.jurom.service.connections.FrameReader;
import dev.jurom.service.logs.ServiceLog;
import dev.jurom.service.settings.DaemonConfiguration;
import dev.jurom.service.threads.ServiceThreads;
import dev.jurom.service.threads.Timers;
import dev.jurom.service.wire.Frame;
import dev.jurom.service.wire.FrameDecoder;
import dev.jurom.service.wire.FrameException;
import dev.jurom.service.wire.PeerFrames;
import dev.jurom.service.workers.Deadlines;
import dev.jurom.urom.CpuSet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests worker programs that violate the protocol, and the arguments and environment of workers. */
class BadWorkersTest {

    private static final Frame READY = new Frame.Ready(0, 4711);

    private static final Deadlines SHORT_EXIT = TestDaemon.LONG.withLeave(Duration.ofMillis(300));
    private static final Deadlines SHORT_START = SHORT_EXIT.withStart(Duration.ofMillis(500));
    /** Exits at the end of standard input, like a real worker. */
    private static final String EXIT_ON_REQUEST = "exec cat > /dev/null";

    private static final int SIGKILL_STATUS = 128 + 9;

    @TempDir
    private Path folder;

    /** Starts a service whose workers run these shell commands. */
    private UromDaemon start(String... commands) {
        return start(SHORT_EXIT, commands);
    }

    private UromDaemon start(Deadlines deadlines, String... commands) {
        return TestDaemon.start(
                DaemonConfiguration.builder(TestDaemon.script(folder, commands), List.of(TestDaemon.onePlugin(folder))),
                folder,
                deadlines);
    }

    /** A command that waits until the test creates a file. */
    private String waitForGo() {
        return "until [ -e " + folder.resolve("go") + " ]; do sleep 0.01; done";
    }

    private void letWorkersRun() {
        try {
            Files.createFile(folder.resolve("go"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void assertNotStarted(DocaError error, String words, String... commands) {
        assertNotStarted(SHORT_EXIT, error, words, commands);
    }

    private void assertNotStarted(Deadlines deadlines, DocaError error, String words, String... commands) {
        try (var daemon = start(deadlines, commands);
                var host = TestHost.admitted(daemon)) {
            var spawn = host.spawnAny(1);
            var answer = host.receive(Frame.Failure.class);

            assertEquals(spawn.requestId(), answer.requestId());
            assertEquals(error, answer.error(), answer.text());
            assertTrue(answer.text().contains(words), answer.text());
            awaitNoProcess();
            host.spawnAny(1); // the service still accepts requests
            assertEquals(error, host.receive(Frame.Failure.class).error());
        }
    }

    private void awaitNoProcess() {
        Waiting.until(
                "no worker process is left",
                () -> TestDaemon.workers(folder.resolve("worker.sh")).isEmpty());
    }

    @Test
    void a_worker_that_exits_immediately_is_reported() {
        assertNotStarted(DocaError.INITIALIZATION, "ended before it was ready", "exit 3");
    }

    @Test
    void a_child_that_keeps_the_log_of_its_worker_open_costs_the_service_nothing() throws IOException {
        var child = folder.resolve("child");
        try (var daemon = start("sleep 1000 <&- >&- & echo $! > " + child, "exit 3");
                var host = TestHost.admitted(daemon)) {
            assertNothingIsLeftOfAWorkerBeside(child, host);
        }
    }

    @Test
    void a_child_that_keeps_the_output_of_its_worker_open_costs_the_service_nothing() throws IOException {
        var child = folder.resolve("child");
        try (var daemon = start("sleep 1000 2>&- & echo $! > " + child, "exit 3");
                var host = TestHost.admitted(daemon)) {
            assertNothingIsLeftOfAWorkerBeside(child, host);
        }
    }

    private static void assertNothingIsLeftOfAWorkerBeside(Path child, TestHost host) throws IOException {
        var before = pipes();
        host.spawnAny(1);
        host.receive(Frame.Failure.class);
        var sleeping = ProcessHandle.of(Long.parseLong(Files.readString(child).strip()))
                .orElseThrow();
        try {
            Waiting.until("no pipe is left", () -> pipes() == before);
            Waiting.until(
                    "no thread is left",
                    () -> Thread.getAllStackTraces().keySet().stream()
                            .noneMatch(thread -> thread.getName().startsWith("urom-worker-")));
            assertTrue(sleeping.isAlive());
        } finally {
            sleeping.destroyForcibly();
        }
    }

    /** Returns the number of pipes open in this process. */
    private static long pipes() {
        try (var descriptors = Files.list(Path.of("/proc/self/fd"))) {
            return descriptors
                    .map(BadWorkersTest::target)
                    .filter(it -> it.startsWith("pipe:"))
                    .count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException e) {
            return ""; // closed concurrently
        }
    }

    @Test
    void the_output_of_a_worker_is_in_its_log_in_printable_lines() throws IOException {
        try (var daemon = start("printf 'one\\r\\033[2J\\n\\ntwo' >&2", "exit 3");
                var host = TestHost.admitted(daemon)) {
            host.spawnAny(1);
            host.receive(Frame.Failure.class);
            awaitNoProcess();
        }

        try (var logs = Files.newDirectoryStream(folder, "urom_worker_*_dev.log")) {
            assertEquals(
                    "one\\u000d\\u001b[2J\n\ntwo\n",
                    Files.readString(logs.iterator().next()));
        }
    }

    @Test
    void a_silent_worker_is_killed() {
        assertNotStarted(SHORT_START, DocaError.TIME_OUT, "500 ms", "exec sleep 1000");
    }

    @Test
    void a_worker_that_sends_a_malformed_frame_is_killed() {
        assertNotStarted(
                DocaError.UNEXPECTED, "a malformed frame", "echo 'text instead of a frame'", "exec sleep 1000");
    }

    @Test
    void a_worker_that_sends_another_frame_is_killed() {
        assertNotStarted(DocaError.UNEXPECTED, "neither READY nor ERROR", write(new Frame.Pong(0)), "exec sleep 1000");
    }

    @Test
    void a_worker_that_announces_a_huge_frame_is_killed() {
        var huge = PeerFrames.encode(READY);
        huge[6] = 15; // at least 983,040 bytes: valid, but too long for a worker
        assertNotStarted(DocaError.UNEXPECTED, "a malformed frame", write(huge), "exec sleep 1000");
    }

    @Test
    void an_incomplete_answer_is_not_an_answer() {
        var half = Arrays.copyOf(PeerFrames.encode(READY), 20);
        assertNotStarted(DocaError.INITIALIZATION, "ended before it was ready", write(half));
    }

    @Test
    void the_error_of_a_worker_is_forwarded_to_its_host() {
        assertNotStarted(
                DocaError.NOT_FOUND,
                "plugin X is missing",
                write(new Frame.Failure(0, DocaError.NOT_FOUND, "plugin X is missing")),
                "exit 1");
    }

    @Test
    void a_worker_that_does_not_exit_is_killed() {
        try (var daemon = start(write(READY), "exec sleep 1000");
                var host = TestHost.admitted(daemon)) {
            host.spawnAny(1);
            var workerId = host.receive(Frame.Spawned.class).workerId();
            Waiting.until(
                    "the worker sleeps",
                    () -> TestDaemon.workers(Path.of("sleep")).size() == 1);

            host.release(workerId);

            Waiting.until(
                    "the worker is killed",
                    () -> TestDaemon.workers(Path.of("sleep")).isEmpty());
            assertTrue(TestDaemon.log(folder).contains("did not exit within"));
        }
    }

    @Test
    void the_service_does_not_wait_for_workers_that_do_not_exit() {
        var daemon = start(write(READY), "exec sleep 1000");
        try (var host = TestHost.admitted(daemon)) {
            host.spawnAny(1);
            host.receive(Frame.Spawned.class);
            Waiting.until(
                    "the worker sleeps",
                    () -> TestDaemon.workers(Path.of("sleep")).size() == 1);
            daemon.close();
        }
        Waiting.until(
                "the worker is killed",
                () -> TestDaemon.workers(Path.of("sleep")).isEmpty());
    }

    @Test
    void a_stalled_start_does_not_delay_others() {
        try (var daemon = start(SHORT_START, "exec sleep 1000");
                var host = TestHost.admitted(daemon)) {
            host.spawnAny(1);
            host.send(new Frame.GetGroup(99, 1));

            assertEquals(new Frame.Group(99, List.of()), host.receive());
            assertEquals(DocaError.TIME_OUT, host.receive(Frame.Failure.class).error());
        }
    }

    @Test
    void a_worker_that_exits_is_reported_with_its_exit_code() {
        try (var daemon = start(write(READY), waitForGo(), "exit 42");
                var host = TestHost.admitted(daemon)) {
            var spawn = host.spawnAny(1);
            var spawned = host.receive(Frame.Spawned.class);
            letWorkersRun();

            assertEquals(
                    new Frame.WorkerGone(
                            spawn.requestId(), spawned.workerId(), 42, false, "Worker 1 exited with code 42"),
                    host.receive());
        }
    }

    @Test
    void a_program_that_can_no_longer_be_run_is_reported() throws IOException {
        try (var daemon = start("exit 1");
                var host = TestHost.admitted(daemon)) {
            Files.delete(folder.resolve("worker.sh"));
            host.spawnAny(1);

            var answer = host.receive(Frame.Failure.class);
            assertEquals(DocaError.OPERATING_SYSTEM, answer.error());
            assertTrue(answer.text().contains("worker.sh"), answer.text());
        }
    }

    @Test
    void a_worker_receives_its_arguments_its_configuration_and_a_ticket() throws Exception {
        var arguments = folder.resolve("arguments");
        var input = folder.resolve("input");
        try (var daemon = start(
                        "echo \"$@\" > " + arguments,
                        "env | sort >> " + arguments,
                        write(READY),
                        "exec cat > " + input);
                var host = TestHost.admitted(daemon)) {
            host.send(Frame.Spawn.of(1, 77, 1)
                    .withCpuSet(Optional.of(CpuSet.of(0)))
                    .withEnvironment(List.of("GREETING=hello = world", "OTHER=")));
            var spawned = host.receive(Frame.Spawned.class);

            var lines = Files.readAllLines(arguments);
            assertEquals("--serve " + folder.resolve("plugins/anything.so") + ":1", lines.getFirst());
            assertTrue(
                    lines.containsAll(List.of(
                            "GREETING=hello = world", "OTHER=", "UCX_TLS=posix,cma,self", "UROM_WORKER_LOG_LEVEL=50")),
                    lines.toString());
            var frames = frames(input, 2);
            assertEquals(
                    new Frame.Configure(0, 77, DaemonConfiguration.DEFAULT_MAX_MESSAGE_SIZE, Optional.of(CpuSet.of(0))),
                    frames.get(0));
            var admit = assertInstanceOf(Frame.Admit.class, frames.get(1));
            assertEquals(spawned.ticket(), admit.ticket());
            assertEquals(Optional.empty(), admit.binding());
        }
    }

    /** Waits until a file has this number of frames and returns them. */
    private static List<Frame> frames(Path file, int count) {
        var frames = new ArrayList<Frame>();
        Waiting.until(count + " frames are in " + file, () -> {
            frames.clear();
            try (var stream = Files.newInputStream(file);
                    var timers = new Timers(ServiceLog.toStandardError(LogLevel.ERROR)::error, new ServiceThreads())) {
                var reader = new FrameReader(stream, timers, Duration.ofSeconds(60), () -> {});
                while (true) {
                    frames.add(PeerFrames.decode(reader.whole(reader.header(), FrameDecoder.CONTROL_MAX)));
                }
            } catch (IOException e) {
                return frames.size() >= count;
            } catch (FrameException e) {
                throw new AssertionError(e);
            }
        });
        return frames;
    }

    @Test
    void workers_are_notified_when_a_session_ends_and_when_they_must_exit() {
        var input = folder.resolve("input");
        try (var daemon = start(write(READY), "exec cat > " + input);
                var host = TestHost.admitted(daemon)) {
            host.spawn(5, 1, OptionalInt.empty(), List.of());
            host.receive(Frame.Spawned.class);
            long session;
            try (var other = TestHost.admitted(daemon)) {
                other.spawn(5, 1, OptionalInt.empty(), List.of());
                other.receive(Frame.Spawned.class);
                session = assertInstanceOf(Frame.Admit.class, frames(input, 3).get(2))
                        .session();
            }
            assertEquals(new Frame.HostGone(0, session), frames(input, 4).get(3));

            host.release(5);
            assertEquals(new Frame.Drain(0), frames(input, 5).get(4));
            awaitNoProcess();
        }
    }

    /** Asserts that a worker is killed if it runs these commands after READY. */
    private void assertEnds(String words, String... commands) {
        var all = new ArrayList<>(List.of(write(READY), waitForGo()));
        all.addAll(List.of(commands));
        try (var daemon = start(all.toArray(String[]::new));
                var host = TestHost.admitted(daemon)) {
            host.spawnAny(1);
            host.receive(Frame.Spawned.class);
            letWorkersRun();

            var gone = host.receive(Frame.WorkerGone.class);
            assertEquals(SIGKILL_STATUS, gone.exitStatus());
            assertTrue(gone.text().contains(words), gone.text());
            awaitNoProcess();
        }
    }

    @Test
    void a_worker_that_sends_an_unrequested_answer_is_killed() {
        assertEnds("an unexpected frame: Pong", write(new Frame.Pong(9)), "exec sleep 1000");
    }

    @Test
    void a_worker_that_reports_an_unrequested_port_is_killed() {
        assertEnds("an unexpected frame: Listening", write(new Frame.Listening(1000, 5)), "exec sleep 1000");
    }

    @Test
    void a_worker_that_is_ready_twice_is_killed() {
        assertEnds("an unexpected frame: Ready", write(READY), "exec sleep 1000");
    }

    @Test
    void a_ready_worker_that_sends_a_malformed_frame_is_killed() {
        assertEnds("a malformed frame", "yes", "exec sleep 1000");
    }

    @Test
    void a_worker_that_closes_its_output_is_killed() {
        assertEnds("had closed its output", "exec >&-", "exec sleep 1000");
    }

    @Test
    void a_worker_that_does_not_read_is_killed_without_affecting_others() {
        try (var daemon = start(write(READY), "exec sleep 1000");
                var host = TestHost.admitted(daemon)) {
            for (var i = 0; i < 1000; i++) {
                host.spawn(5, 1, OptionalInt.empty(), List.of());
            }
            Frame answer;
            do {
                answer = host.receive();
            } while (answer instanceof Frame.Spawned);

            var text = switch (answer) {
                case Frame.WorkerGone gone -> gone.text();
                case Frame.Failure failure -> failure.text();
                default -> answer.toString();
            };
            assertTrue(text.contains("did not read the frames from the service"), text);
        }
    }
}
