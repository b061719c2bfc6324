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
import java.util.concurrent.locks.LockSupport;

/**
 * A fault that a host has happen at the moment that it needs it, once, unless the schedule has
 * something happen at that point. Until this is closed.
 */
final class StagedFault implements AutoCloseable {

    private static final FaultPoints POINTS = FaultPoints.read();
    private static final long PAUSE_NANOS = 50_000;

    private final FaultPoint point;
    private final FaultTable table;
    private final boolean armed;

    StagedFault(FaultRole role, String name, FaultAction action, Long... arguments) {
        point = POINTS.find(name).orElseThrow();
        try {
            table = FaultTable.open(Path.of(System.getenv(FaultTable.VARIABLE)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        armed = !table.isArmed(point);
        if (armed) {
            table.arm(Fault.once(role, point, action, arguments));
        }
    }

    /** Waits until it happens, or for so many nanoseconds. */
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
