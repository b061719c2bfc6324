// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import dev.jurom.cli.shell.Output;
import dev.jurom.cli.shell.PositiveNumber;
import dev.jurom.cli.shell.ServiceOption;
import dev.jurom.cli.shell.Table;
import dev.jurom.core.Device;
import dev.jurom.core.ProgressEngine;
import dev.jurom.plugin.HostMemory;
import dev.jurom.plugin.sandbox.SandboxPlugin;
import dev.jurom.urom.UromDomain;
import dev.jurom.urom.UromService;
import dev.jurom.urom.UromWorker;
import dev.jurom.urom.WorkerId;
import dev.jurom.urom.exchange.OutOfBandExchange;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code urom ping-pong}: two processes, each with a worker, in one domain. The workers exchange a
 * message through the sandbox plugin, and both processes check every byte.
 */
@Command(name = "ping-pong", description = "Exchanges a message between the workers of two processes.")
final class PingPongCommand implements Callable<Integer> {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int PLAYERS = 2;
    private static final int COMMAND_OVERHEAD = 128; // bytes of a command besides the message
    private static final double NANOS_PER_US = 1e3;

    @Option(
            names = "--message",
            paramLabel = "TEXT",
            defaultValue = "Hello from jurom!",
            description = "Text of the message (default: ${DEFAULT-VALUE}).")
    private String message;

    @Option(
            names = "--size",
            paramLabel = "BYTES",
            split = ",",
            converter = PositiveNumber.class,
            description = "Size in bytes of the message, which repeats or truncates the text (default: the"
                    + " length of the text). Several sizes run one after the other.")
    private List<Integer> sizes;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "100",
            converter = PositiveNumber.class,
            description = "Number of round trips (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--mapped",
            description = "Let the workers read and write the message in this process's memory. Messages that"
                    + " are too long for a command always use it.")
    private boolean mapped;

    @Mixin
    private Output output;

    @Mixin
    private RankOptions ranks;

    @Mixin
    private ServiceOption service;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        try (var arena = Arena.ofConfined();
                var exchange = ranks.open(TIMEOUT)) {
            if (exchange.participants() != PLAYERS) {
                throw new ParameterException(
                        spec.commandLine(),
                        "ping-pong is played by 2 ranks, and " + exchange.participants() + " were started");
            }
            var text = message(arena);
            Agreement.require(exchange, TIMEOUT, message, sizes, rounds);
            // Both ranks print; rank 0 alone prints the lines that are the same for both.
            try (var chosen = service.open(exchange.index() == 0 ? output::say : line -> {});
                    var engine = ProgressEngine.create();
                    var device = Device.open();
                    var running = service.start(engine, device, 1)) {
                play(exchange, running, text);
            }
        }
        return 0;
    }

    /** Returns the longest of the messages; the others are prefixes of it. */
    private MemorySegment message(Arena arena) {
        var text = message.getBytes(StandardCharsets.UTF_8);
        if (text.length == 0) {
            throw new ParameterException(spec.commandLine(), "--message is empty");
        }
        if (sizes == null) {
            sizes = List.of(text.length);
        }
        var segment = arena.allocate(sizes.stream().max(Integer::compare).orElseThrow());
        for (var at = 0L; at < segment.byteSize(); at += text.length) {
            MemorySegment.copy(
                    text, 0, segment, ValueLayout.JAVA_BYTE, at, (int) Math.min(text.length, segment.byteSize() - at));
        }
        return segment;
    }

    private void play(OutOfBandExchange exchange, UromService running, MemorySegment text) throws InterruptedException {
        var engine = running.engine();
        var plugin = SandboxPlugin.find(running);
        var rank = exchange.index();
        // Closing a worker releases the memory, so the memory is closed last.
        try (var memory = HostMemory.open();
                var arena = Arena.ofConfined();
                var sent = memory.share(arena.allocate(text.byteSize()).copyFrom(text));
                var received = memory.share(arena.allocate(text.byteSize()));
                var worker = UromWorker.create(engine, running).setPlugins(plugin)) {
            worker.startAndWait(TIMEOUT);
            try (var domain = UromDomain.create(engine, exchange, Map.of((long) rank, worker))) {
                domain.startAndWait(TIMEOUT);
                output.say("rank " + rank + "    process "
                        + ProcessHandle.current().pid() + ", worker " + WorkerId.toString(worker.id()) + ", "
                        + running.device());
                var sandbox = SandboxPlugin.of(worker, plugin, TIMEOUT);
                try (var player = new PingPongPlayer(sandbox, rank, sent, received, TIMEOUT)) {
                    for (var size : sizes) {
                        play(rank, player, size);
                    }
                }
                // No rank may close its worker while the other still waits for a message.
                exchange.allGather(new byte[1], TIMEOUT);
            }
        }
    }

    private void play(int rank, PingPongPlayer player, int size) {
        var inline = !mapped && size <= service.maxMessageSize() - COMMAND_OVERHEAD;
        var times = player.play(size, inline, rounds);
        if (rank == 0 && output.isJson()) {
            output.print(Table.of("rounds", "bytes", "mapped", "p50_ns", "p99_ns")
                    .row(rounds, size, !inline, times.getValueAtPercentile(50), times.getValueAtPercentile(99)));
        } else if (rank == 0) {
            output.say(
                    "ping-pong %d rounds of %d bytes in %s, every byte right;"
                            + " p50 %.1f us, p99 %.1f us there and back",
                    rounds,
                    size,
                    inline ? "commands" : "mapped memory",
                    times.getValueAtPercentile(50) / NANOS_PER_US,
                    times.getValueAtPercentile(99) / NANOS_PER_US);
        }
    }
}
