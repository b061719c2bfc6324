// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.shell;

import dev.jurom.service.status.ServiceStatus;
import java.time.temporal.ChronoUnit;

/** The hosts of other machines that are connected to a service. */
public final class RemoteHosts {

    private RemoteHosts() {}

    /**
     * Lists the sessions of hosts of other machines, which count in files of their own machine.
     *
     * @param status the service
     * @return a table of the sessions
     */
    public static Table table(ServiceStatus status) {
        var table = Table.of("session", "address", "user", "references", "since", "certificate");
        status.remoteSessions()
                .forEach(session -> table.row(
                        session.id(),
                        session.address(),
                        Integer.toUnsignedLong(session.userId()),
                        session.references(),
                        session.started().truncatedTo(ChronoUnit.SECONDS),
                        session.fingerprint()));
        return table;
    }
}
