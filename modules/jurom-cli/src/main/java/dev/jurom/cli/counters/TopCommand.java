// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.counters;

import dev.jurom.cli.counters.WorkerRow.Sample;
import dev.jurom.cli.shell.ExitCode;
import dev.jurom.cli.shell.Output;
import dev.jurom.cli.shell.PositiveNumber;
import dev.jurom.cli.shell.RunningServiceOption;
import dev.jurom.cli.shell.Table;
import dev.jurom.cli.shell.Terminal;
import dev.jurom.cli.shell.WholeSeconds;
import dev.jurom.service.counters.Counter;
import dev.jurom.service.counters.CounterFile;
import dev.jurom.service.counters.CounterKind;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code urom top}: shows the workers of a running service periodically. */
@Command(
        name = "top",
        description = {
            "Show the workers of a running service and their activity once a second, without sending them a"
                    + " message.",
            "On a terminal, keys select the sort order: r commands, c CPU, m memory,"
                    + " f in flight, w waiting, x refused, e errors, 5 and 9 the times, n worker; the arrow and page keys"
                    + " scroll; q ends. Without a terminal, prints lines."
        })
public final class TopCommand implements Callable<Integer> {

    private static final double NANOS_PER_MICRO = 1000;
    private static final double BYTES_PER_MIB = 1 << 20;
    private static final long MILLIS_PER_SECOND = 1000;
    private static final int QUIT = 'q';
    /** Columns that are omitted on a narrow terminal, the least important first. */
    private static final List<String> OPTIONAL =
            List.of("refused", "waiting", "in_flight", "user", "mem_MiB", "state", "errors", "p50_us");

    @Option(
            names = "--sort",
            paramLabel = "KEY",
            defaultValue = "commands",
            description = "Sort order: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private SortKey sort;

    @Option(
            names = "--interval",
            paramLabel = "SECONDS",
            defaultValue = "1",
            converter = WholeSeconds.Positive.class,
            description = "Time between two samples in seconds (default: ${DEFAULT-VALUE}).")
    private long interval;

    @Option(
            names = {"-n", "--count"},
            paramLabel = "N",
            converter = PositiveNumber.class,
            description = "Number of samples to print (default: until the service ends or a signal arrives).")
    private Integer count;

    @Mixin
    private RunningServiceOption service;

    @Mixin
    private Output output;

    private final Map<Long, Sample> before = new HashMap<>();
    private int first; // the first row that the screen shows
    private int page = 1; // the number of rows that it shows

    private TopCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        var now = CountedService.require(service.find());
        sample(now);
        if (Terminal.isOutput() && System.console() != null && !output.isJson()) {
            show(now);
        } else {
            print(now);
        }
        return ExitCode.DONE;
    }

    /** Samples all workers; returns their activity since the previous sample. */
    private List<WorkerRow> sample(CountedService now) {
        var rows = new ArrayList<WorkerRow>();
        var seen = new HashMap<Long, Sample>();
        for (var file : now.of(CounterKind.WORKER)) {
            Sample.at(file).ifPresent(sample -> {
                seen.put(file.process(), sample);
                rows.add(WorkerRow.between(before.getOrDefault(file.process(), sample), sample));
            });
        }
        before.clear();
        before.putAll(seen);
        rows.sort(sort.order());
        return rows;
    }

    private void print(CountedService first) throws InterruptedException {
        for (var i = 0; (count == null || i < count) && !System.out.checkError(); i++) {
            Thread.sleep(interval * MILLIS_PER_SECOND);
            var now = first.again();
            output.print(table(sample(now), output.isJson()));
            now.requireReadable();
        }
    }

    private void show(CountedService first) throws IOException, InterruptedException {
        var rows = sample(first);
        var now = first;
        try (var screen = new Screen()) {
            for (var i = 0; count == null || i < count; i++) {
                var end = System.nanoTime() + interval * 1_000_000_000L;
                for (var left = interval * MILLIS_PER_SECOND; left > 0; left = (end - System.nanoTime()) / 1_000_000) {
                    rows.sort(sort.order());
                    draw(screen, now, rows);
                    var key = screen.key(left);
                    if (key == QUIT) {
                        return;
                    }
                    SortKey.of(key).ifPresent(chosen -> sort = chosen);
                    scroll(key);
                }
                now = first.again();
                rows = sample(now);
            }
        }
    }

    /** Changes the first row; {@link #draw} corrects it if there are fewer rows. */
    private void scroll(int key) {
        first += switch (key) {
            case Screen.UP -> -1;
            case Screen.DOWN -> 1;
            case Screen.PAGE_UP -> -page;
            case Screen.PAGE_DOWN -> page;
            default -> 0;
        };
    }

    private void draw(Screen screen, CountedService now, List<WorkerRow> rows) throws IOException {
        var lines = new ArrayList<String>();
        lines.add("urom top - service " + now.status().process() + " at "
                + String.join(", ", now.status().addresses()));
        now.of(CounterKind.DAEMON).stream()
                .map(daemon -> summary(daemon) + "; sorted by " + sort)
                .forEach(lines::add);
        lines.addAll(now.counters().unreadable());
        var width = screen.queryWidth();
        if (rows.isEmpty()) {
            screen.draw(lines, "No workers run.", List.of(), List.of());
            return;
        }
        var hidden = new ArrayList<String>();
        var table = fitting(table(rows, false), width, hidden).lines();
        page = screen.rows(lines.size() + (hidden.isEmpty() ? 0 : 1));
        first = Math.clamp(first, 0, Math.max(0, rows.size() - page));
        var last = Math.min(rows.size(), first + page);
        var below = new ArrayList<String>();
        if (last - first < rows.size()) {
            below.add("Workers " + (first + 1) + " to " + last + " of " + rows.size() + ", "
                    + (rows.size() - last + first) + " hidden: the arrow and page keys scroll");
        } else if (!hidden.isEmpty()) {
            below.add("");
        }
        if (!hidden.isEmpty()) {
            below.add("No room for " + String.join(", ", hidden).replace('_', ' '));
        }
        screen.draw(lines, table.getFirst(), table.subList(first + 1, last + 1), below);
    }

    /** Returns a table without the columns that exceed the width, and adds these to a list. */
    private static Table fitting(Table table, int width, List<String> hidden) {
        var shown = table;
        while (hidden.size() < OPTIONAL.size() && shown.lines().stream().anyMatch(line -> line.length() > width)) {
            hidden.add(OPTIONAL.get(hidden.size()));
            shown = shown.without(hidden.getLast());
        }
        return shown;
    }

    private static String summary(CounterFile daemon) {
        return "hosts " + daemon.value(Counter.DAEMON_SESSIONS) + ", workers "
                + daemon.value(Counter.DAEMON_WORKERS_RUNNING) + " (" + daemon.value(Counter.DAEMON_WORKERS_KILLED)
                + " killed), refused "
                + daemon.value(Counter.DAEMON_REFUSED) + ", errors "
                + daemon.errors().size();
    }

    private static Table table(List<WorkerRow> rows, boolean exact) {
        var table = exact
                ? Table.of(
                        "worker",
                        "state",
                        "process",
                        "user",
                        "cpu_percent",
                        "memory_bytes",
                        "commands_per_second",
                        "in_flight",
                        "waiting",
                        "refused",
                        "errors",
                        "p50_ns",
                        "p99_ns")
                : Table.of(
                        "worker",
                        "state",
                        "process",
                        "user",
                        "cpu%",
                        "mem_MiB",
                        "commands/s",
                        "in_flight",
                        "waiting",
                        "refused",
                        "errors",
                        "p50_us",
                        "p99_us");
        for (var row : rows) {
            table.row(
                    row.worker(),
                    row.state(),
                    row.process(),
                    row.user(),
                    rounded(row.cpuPercent(), 1),
                    exact ? row.memoryBytes() : rounded(row.memoryBytes() / BYTES_PER_MIB, 1),
                    rounded(row.commandsPerSecond(), 0),
                    row.inFlight(),
                    row.waiting(),
                    row.refused(),
                    row.errors(),
                    exact ? row.p50Nanos() : micros(row.p50Nanos()),
                    exact ? row.p99Nanos() : micros(row.p99Nanos()));
        }
        return table;
    }

    private static Optional<Number> micros(Optional<Long> nanos) {
        return nanos.map(time -> rounded(time / NANOS_PER_MICRO, 2));
    }

    private static Number rounded(double value, int digits) {
        return new BigDecimal(String.format(Locale.ROOT, "%." + digits + "f", value));
    }
}
