// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.host;

import dev.jurom.proof.faults.Fault;
import dev.jurom.proof.faults.FaultAction;
import dev.jurom.proof.faults.FaultPoint;
import dev.jurom.proof.faults.FaultPoints;
import dev.jurom.proof.faults.FaultRole;
import dev.jurom.proof.faults.FaultTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/**
 * A fault that a host arms at the required time, unless the schedule has a fault at the same point. Closing
 * disarms it.
 */
final class StagedFault implements AutoCloseable {

    private static final FaultPoints POINTS = FaultPoints.read();

    private final FaultPoint point;
    private final FaultTable table;
    private final boolean armed;

    private StagedFault(Fault fault) {
        point = fault.point();
        try {
            table = FaultTable.open(Path.of(System.getenv(FaultTable.VARIABLE)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        armed = !table.isArmed(point);
        if (armed) {
            table.arm(fault);
        }
    }

    /** Returns a fault that kills the first worker that reaches a point. */
    static StagedFault killOfWorker(String point) {
        return new StagedFault(Fault.once(FaultRole.WORKER, POINTS.find(point).orElseThrow(), FaultAction.KILL));
    }

    @Override
    public void close() {
        if (armed) {
            table.disarm(point);
        }
        table.close();
    }
}
