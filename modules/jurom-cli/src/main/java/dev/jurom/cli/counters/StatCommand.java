// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.counters;

import dev.jurom.cli.shell.ExitCode;
import dev.jurom.cli.shell.Output;
import dev.jurom.cli.shell.RemoteHosts;
import dev.jurom.cli.shell.RunningServiceOption;
import dev.jurom.cli.shell.Table;
import dev.jurom.runtime.internal.LatencyHistogram;
import dev.jurom.service.counters.Counter;
import dev.jurom.service.counters.CounterFile;
import dev.jurom.service.counters.CounterKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code urom stat}: prints all counters of a running service once. */
@Command(
        name = "stat",
        description = "Print the counters of a running service, its workers and its hosts, without sending them"
                + " a message.")
public final class StatCommand implements Callable<Integer> {

    private static final double MEDIAN = 50;
    private static final double NEARLY_ALL = 99;
    private static final List<String> TIMES = List.of("p50_ns", "p99_ns");

    @Mixin
    private RunningServiceOption service;

    @Mixin
    private Output output;

    private StatCommand() {}

    @Override
    public Integer call() {
        var counted = CountedService.require(service.find());
        output.print(values(counted));
        counted.requireReadable();
        return ExitCode.DONE;
    }

    private static Map<String, Object> values(CountedService counted) {
        var values = new LinkedHashMap<String, Object>();
        values.put("process", counted.status().process());
        values.put("addresses", counted.status().addresses());
        for (var daemon : counted.of(CounterKind.DAEMON)) {
            values.put("counts_since", daemon.began());
            Counter.of(CounterKind.DAEMON).forEach(counter -> values.put(counter.shortName(), daemon.value(counter)));
        }
        values.put("workers", table("worker", CounterKind.WORKER, counted));
        values.put("hosts", table("program", CounterKind.HOST, counted));
        values.put("remote_hosts", RemoteHosts.table(counted.status()));
        return values;
    }

    private static Table table(String name, CounterKind kind, CountedService counted) {
        var columns = new ArrayList<>(List.of(name, "process"));
        Counter.of(kind).forEach(counter -> columns.add(counter.shortName()));
        if (kind == CounterKind.HOST) {
            columns.add("in_flight");
        }
        columns.addAll(TIMES);
        var table = Table.of(columns.toArray(String[]::new));
        counted.of(kind).forEach(file -> table.row(row(file)));
        return table;
    }

    private static Object[] row(CounterFile file) {
        var row = new ArrayList<>();
        row.add(file.kind() == CounterKind.WORKER ? Long.toUnsignedString(file.number()) : file.label());
        row.add(file.process());
        Counter.of(file.kind()).forEach(counter -> row.add(file.value(counter)));
        if (file.kind() == CounterKind.HOST) {
            row.add(file.inFlight());
        }
        row.add(time(file.latency(), MEDIAN));
        row.add(time(file.latency(), NEARLY_ALL));
        return row.toArray();
    }

    /** Returns a percentile in nanoseconds; empty if no command was timed. */
    static Optional<Long> time(LatencyHistogram latency, double percent) {
        return latency.count() == 0 ? Optional.empty() : Optional.of(latency.percentile(percent));
    }
}
