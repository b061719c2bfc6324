// SPDX-License-Identifier: Apache-2.0
package dev.jurom.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.CallOptions;
import dev.jurom.Urom;
import dev.jurom.WorkerConfiguration;
import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.plugin.Offload;
import dev.jurom.plugin.StructBuilder;
import dev.jurom.plugin.StructCodec;
import dev.jurom.service.EmbeddedService;
import java.time.Duration;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Tests commands that take longer than a worker may leave its service without an answer. */
class BusyPluginTest {

    private static final Duration HANG_TIMEOUT = Duration.ofMillis(800);

    /** Exceeds each limit by far more than the time for which a busy machine suspends processes. */
    private static final Duration COMMAND = HANG_TIMEOUT.multipliedBy(5);

    private static final Duration TIMEOUT = Duration.ofMillis(300);

    /** The duration that a command announces. */
    record Announced(long seconds) {}

    private static final StructCodec<Announced> CODEC = codec();
    private static final Offload<Announced, Announced> WORK = Offload.of("worker_busy", 1, CODEC, CODEC);

    private static StructCodec<Announced> codec() {
        StructBuilder<Announced> struct = StructBuilder.struct("announced");
        var seconds = struct.u64("seconds", Announced::seconds);
        return struct.codec(in -> new Announced(seconds.get(in)));
    }

    /** Announces the duration of a command, and takes another. */
    public static final class BusyPlugin implements WorkerPlugin {

        @Override
        public String name() {
            return WORK.plugin();
        }

        @Override
        public long version() {
            return WORK.version();
        }

        @Override
        public void command(Command command, Responder responder) throws InterruptedException {
            var announced = command.read(CODEC);
            command.expectDuration(Duration.ofSeconds(announced.seconds()));
            Thread.sleep(COMMAND);
            responder.reply(announced, CODEC);
        }
    }

    private static long work(long announced, Duration busyTimeout) throws InterruptedException {
        try (var service = EmbeddedService.open(usual -> usual.toBuilder()
                        .plugin(BusyPlugin.class)
                        .workers(usual.workers().withHangTimeout(HANG_TIMEOUT).withBusyTimeout(busyTimeout))
                        .build());
                var urom = Urom.open();
                var worker = urom.startWorker(WorkerConfiguration.of(WORK.plugin()))) {
            return worker.call(WORK, new Announced(announced)).seconds();
        }
    }

    private static void assertKilled(long announced, Duration busyTimeout) {
        var failure = assertThrows(DocaException.class, () -> work(announced, busyTimeout));

        assertEquals(DocaError.CONNECTION_RESET, failure.error());
        assertTrue(
                failure.getMessage()
                        .contains("did not answer for 800 ms (--hang-timeout) while it ran worker_cmd of busy"),
                failure.getMessage());
    }

    @Test
    void a_command_that_announces_its_duration_is_answered() throws InterruptedException {
        assertEquals(60, work(60, Duration.ofHours(1)));
    }

    @Test
    void a_command_that_announces_nothing_or_too_little_ends_its_worker() {
        assertKilled(0, Duration.ofHours(1));
        assertKilled(1, Duration.ofHours(1));
    }

    @Test
    void an_announcement_does_not_exceed_the_limit_of_the_service() {
        assertKilled(60, Duration.ofMillis(1200));
    }

    @Test
    void a_time_out_states_what_the_worker_runs_and_for_how_long() throws InterruptedException {
        var settings = WorkerConfiguration.builder(WORK.plugin()).tasks(1).submitTimeout(TIMEOUT);
        try (var service = EmbeddedService.open(
                        usual -> usual.toBuilder().plugin(BusyPlugin.class).build());
                var urom = Urom.open();
                var worker = urom.startWorker(settings.build());
                var other = urom.startWorker(WorkerConfiguration.of(WORK.plugin()))) {
            var running = worker.submit(WORK, new Announced(60));

            assertRuns(DocaError.AGAIN, () -> worker.call(WORK, new Announced(60)));
            assertRuns(
                    DocaError.TIME_OUT,
                    () -> other.call(WORK, new Announced(60), CallOptions.DEFAULT.withTimeout(TIMEOUT)));
            assertEquals(60, running.join().seconds());
        }
    }

    private static void assertRuns(DocaError error, Executable call) {
        var failure = assertThrows(DocaException.class, call);

        assertEquals(error, failure.error(), failure.getMessage());
        var text = Pattern.compile("worker \\S+, which has run worker_cmd of the plugin busy for (\\d+) ms,")
                .matcher(failure.getMessage());
        assertTrue(text.find(), failure.getMessage());
        var milliseconds = Integer.parseInt(text.group(1));
        assertTrue(milliseconds <= COMMAND.toMillis(), failure.getMessage());
    }
}
