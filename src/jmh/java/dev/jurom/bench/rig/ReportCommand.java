// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures all there is and writes it down. */
@Command(name = "report", description = "Measures everything (in about a quarter of an hour) and"
        + " writes docs/latency.md and its plot.")
final class ReportCommand implements Runnable {

    private static final String SOURCE = "jurom.source";
    private static final int RATE = 5000;

    @Option(names = "--rounds", defaultValue = "40",
            description = "How often each comparison runs (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(names = "--seconds", defaultValue = "20",
            description = "How long each subject runs at a fixed rate (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Override
    public void run() {
        var root = Path.of(System.getProperty(SOURCE));
        var machine = Machine.description().entrySet().stream()
                .map(line -> "- " + line.getKey() + ": " + line.getValue())
                .collect(Collectors.joining("\n"));
        var ratios = RatiosCommand.measure(rounds, Pattern.compile(""));
        var openLoop = OpenLoop.run(RATE, seconds);
        var systemCalls = SyscallsCommand.measure(SyscallsCommand.COMMANDS);
        var microbenchmarks = Microbenchmarks.measure(root.resolve("target/bench/jmh.log"));
        write(root.resolve("docs/latency.svg"), openLoop.plot());
        write(root.resolve("docs/latency.md"), TEXT.formatted(machine, ratios.ratios(),
                ratios.cores(), ratios.subjects(), ratios.cores(), openLoop.table(),
                openLoop.cores(), systemCalls, microbenchmarks));
    }

    private static void write(Path file, String content) {
        try {
            Files.writeString(file, content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final String TEXT = """
            # Latency

            What a command costs, as `scripts/bench report` measured it. This file is its output:
            run it again rather than edit it. [Where the time goes](profile.md) explains the figures.

            %s

            ## Ratios

            Each comparison runs one round of either subject right after the other, with a probe (a
            cache line that goes to the other core and back) before, between and after; rounds whose
            probes differ by more than a quarter are dropped. The two cores are *near* where a cache
            line takes less than 0.2 µs and *far* where it takes more: that may change from one
            second to the next, and each has a row where both were seen. A round is 20 ms (200 ms
            with several hosts or threads) in up to eight parts, of which the median counts; a ratio
            is the median over the rounds, beside its quartiles. All buffers are written before they
            are sent. Messages have 64 bytes unless it says otherwise, the host runs on core 0 and
            its peer on core 1. `-XX:+UseSystemMemoryBarrier` is explained [there](profile.md) too.
            What idle workers take, in memory and CPU, `scripts/urom footprint` says.

            %s
            %s

            Each subject by itself, medians over all its rounds. Where operations overlap, p50 and
            p99 are their share of the time.

            %s
            %s

            ## At a fixed rate

            Commands become due at a fixed rate, whatever has become of those before, and each is
            timed from when it was due (no coordinated omission). Slices of a second alternate.

            %s
            %s

            ![Percentiles](latency.svg)

            ## System calls

            Counted with strace while hot commands go to and fro: calls a command, those of a short
            round taken off those of a long one.

            %s
            ## Microbenchmarks

            JMH with the gc profiler, host on core 0, worker on core 1. 8 bytes are the fixed command
            of 16 bytes. `downcallWithUpcall` is `bsearch` of one element: a downcall, an upcall and
            next to nothing else. For 4 KiB and more the service's maximum message size is raised.

            %s""";
}
