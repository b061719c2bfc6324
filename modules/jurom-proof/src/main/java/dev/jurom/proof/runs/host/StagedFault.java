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
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * A fault that a host has happen at the moment that it needs it, unless the schedule has something
 * happen at that point. Until this is closed.
 */
final class StagedFault implements AutoCloseable {

    private static final FaultPoints POINTS = FaultPoints.read();
    private static final long PAUSE_NANOS = 50_000;

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

    /** A delay of this host, of so many nanoseconds, so many times. */
    static StagedFault delay(String point, long nanoseconds, int times) {
        return new StagedFault(new Fault(FaultRole.HOST, POINTS.find(point).orElseThrow(),
                FaultAction.DELAY, List.of(nanoseconds), 0, times));
    }

    /** The end of the worker that gets there first. */
    static StagedFault killOfWorker(String point) {
        return new StagedFault(Fault.once(FaultRole.WORKER, POINTS.find(point).orElseThrow(),
                FaultAction.KILL));
    }

    /** Waits until it has happened, or for so many nanoseconds. */
    void await(long nanoseconds) {
        var end = System.nanoTime() + nanoseconds;
        while (armed && table.isArmed(point) && System.nanoTime() < end) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    @Override
    public void close() {
        if (armed) {
            table.disarm(point);
        }
        table.close();
    }
}
