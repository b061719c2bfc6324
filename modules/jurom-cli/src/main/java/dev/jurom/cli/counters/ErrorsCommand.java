// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.counters;

import dev.jurom.cli.shell.ExitCode;
import dev.jurom.cli.shell.Output;
import dev.jurom.cli.shell.RunningServiceOption;
import dev.jurom.cli.shell.Table;
import dev.jurom.service.counters.CounterFile;
import dev.jurom.service.counters.DistinctError;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code urom errors}: prints each distinct error of a running service once. */
@Command(
        name = "errors",
        description = "Print each error of a running service, its workers and its"
                + " hosts once, with its count and times; the latest error is last.")
public final class ErrorsCommand implements Callable<Integer> {

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    @Mixin
    private RunningServiceOption service;

    @Mixin
    private Output output;

    /** An error and the process that counted it. */
    private record Counted(String who, long process, DistinctError error) {}

    private ErrorsCommand() {}

    @Override
    public Integer call() {
        var counted = CountedService.require(service.find());
        var errors = new ArrayList<Counted>();
        for (var file : counted.counters().files()) {
            file.errors().forEach(error -> errors.add(new Counted(who(file), file.process(), error)));
        }
        errors.sort(Comparator.comparing(entry -> entry.error().last()));
        print(errors);
        counted.requireReadable();
        return ExitCode.DONE;
    }

    private void print(Iterable<Counted> errors) {
        var table = Table.of("count", "first", "last", "who", "process", "error");
        errors.forEach(entry -> table.row(
                entry.error().count(),
                text(entry.error().first()),
                text(entry.error().last()),
                entry.who(),
                entry.process(),
                entry.error().text()));
        if (table.isEmpty() && !output.isJson()) {
            output.remark("No errors have been counted.");
        } else {
            output.print(table);
        }
    }

    private static String who(CounterFile file) {
        return switch (file.kind()) {
            case DAEMON -> "service";
            case WORKER -> "worker " + Long.toUnsignedString(file.number());
            case HOST -> "host " + file.label();
        };
    }

    private static String text(Instant time) {
        return TIME.format(time);
    }
}
