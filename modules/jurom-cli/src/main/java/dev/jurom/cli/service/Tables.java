// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.service;

import dev.jurom.cli.shell.Table;
import dev.jurom.service.status.OfferedPlugin;
import dev.jurom.service.status.RunningWorker;
import dev.jurom.service.status.ServiceStatus;
import dev.jurom.urom.WorkerId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Tables that several commands print. */
final class Tables {

    private Tables() {}

    /** Returns the table of a service's workers. */
    static Table workers(ServiceStatus status) {
        var table = Table.of("worker", "process", "user", "group", "state", "references", "since", "plugins");
        for (var worker : status.workers()) {
            table.row(
                    WorkerId.toString(worker.id()),
                    Optional.of(worker.process()).filter(process -> process != 0),
                    user(worker),
                    worker.group().isPresent()
                            ? Optional.of(Integer.toUnsignedLong(worker.group().getAsInt()))
                            : Optional.empty(),
                    worker.ready() ? "ready" : "starting or stopping",
                    worker.references(),
                    StatusCommand.since(worker.started()),
                    names(status, worker));
        }
        return table;
    }

    private static String user(RunningWorker worker) {
        return Optional.of(worker.process())
                .filter(process -> process != 0)
                .flatMap(ProcessHandle::of)
                .flatMap(handle -> handle.info().user())
                .orElse(Integer.toUnsignedString(worker.userId()));
    }

    /** Returns the names of plugins, and the ids of those that the service no longer offers. */
    private static List<String> names(ServiceStatus status, RunningWorker worker) {
        var known = status.plugins().stream()
                .filter(plugin -> (plugin.id() & worker.plugins()) != 0)
                .toList();
        var gone =
                worker.plugins() & ~known.stream().mapToLong(OfferedPlugin::id).reduce(0, (a, b) -> a | b);
        var names = new ArrayList<>(known.stream().map(OfferedPlugin::name).toList());
        if (gone != 0) {
            names.add("0x" + Long.toHexString(gone) + " (replaced)");
        }
        return names;
    }
}
