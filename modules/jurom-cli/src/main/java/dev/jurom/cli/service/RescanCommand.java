// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.service;

import dev.jurom.cli.shell.CommandFailure;
import dev.jurom.cli.shell.ExitCode;
import dev.jurom.cli.shell.Output;
import dev.jurom.cli.shell.RunningServiceOption;
import dev.jurom.cli.shell.Table;
import dev.jurom.service.status.OfferedPlugin;
import dev.jurom.service.status.ServiceStatus;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code urom service rescan}: makes a daemon read its plugins and authorised hosts again. */
@Command(
        name = "rescan",
        description = "Makes a daemon search for plugins and read its authorised hosts again (SIGHUP), and"
                + " prints the changes. Running workers keep their plugins. Exit code 1: the service has a"
                + " problem, such as a wrong entry in its authorised hosts.")
final class RescanCommand implements Callable<Integer> {

    private static final Duration TIMEOUT = Duration.ofSeconds(60); // each plugin is probed
    private static final long PAUSE_NANOS = 10_000_000;

    @Mixin
    private RunningServiceOption service;

    @Mixin
    private Output output;

    @Override
    public Integer call() throws InterruptedException {
        var before = service.find();
        if (!before.reloads()) {
            throw new CommandFailure(
                    ExitCode.FOUND_WRONG,
                    "The service of process "
                            + before.process() + " is embedded in a program, which SIGHUP would end; it"
                            + " finds new plugins when a host connects");
        }
        ProcessOfService.hangUp(before);
        var after = await(before);
        output.print(difference(before, after));
        after.authorizedHosts()
                .ifPresent(hosts -> output.remark(
                        "The service accepts " + hosts + (hosts == 1 ? " host" : " hosts") + " of other machines"));
        if (!after.problems().isEmpty()) {
            throw new CommandFailure(ExitCode.FOUND_WRONG, String.join("; ", after.problems()));
        }
        return ExitCode.DONE;
    }

    /** Waits for a reload that started after {@code before}: an earlier one may have read old files. */
    private static ServiceStatus await(ServiceStatus before) {
        var deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (System.nanoTime() - deadline < 0) {
            var now = before.again();
            if (now.isPresent() && now.get().reloadsCompleted() > before.reloadsStarted()) {
                return now.get();
            }
            if (!before.isAlive()) {
                throw new CommandFailure(
                        ExitCode.LOST,
                        "The service of process " + before.process() + " has ended; its log may contain the reason");
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        throw new CommandFailure(
                ExitCode.LOST,
                "The service of process " + before.process() + " has not reloaded within " + TIMEOUT.toSeconds()
                        + " s: it may be stopped");
    }

    private static Table difference(ServiceStatus before, ServiceStatus after) {
        var table = Table.of("plugin", "version", "change", "file");
        for (var plugin : after.plugins()) {
            var old = find(before, plugin.name());
            var change = old.isEmpty() ? "new" : old.get().id() == plugin.id() ? "same" : "replaced";
            table.row(plugin.name(), plugin.version(), change, plugin.file());
        }
        before.plugins().stream()
                .filter(old -> find(after, old.name()).isEmpty())
                .forEach(old -> table.row(old.name(), old.version(), "gone", old.file()));
        return table;
    }

    private static Optional<OfferedPlugin> find(ServiceStatus status, String name) {
        return status.plugins().stream().filter(it -> it.name().equals(name)).findFirst();
    }
}
