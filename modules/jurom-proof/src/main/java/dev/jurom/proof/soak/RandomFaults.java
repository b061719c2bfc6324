// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.soak;

import dev.jurom.proof.faults.Fault;
import dev.jurom.proof.faults.FaultKind;
import dev.jurom.proof.faults.FaultParameter;
import dev.jurom.proof.faults.FaultPoint;
import dev.jurom.proof.faults.FaultPoints;
import dev.jurom.proof.faults.FaultRole;
import dev.jurom.proof.faults.FaultTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * Random faults in a build with fault points, one at a time, each in one process. They end connections or
 * processes or cause errors. Wrong or missing answers of plugins are excluded, since they look like defects.
 */
final class RandomFaults implements AutoCloseable {

    private static final Set<FaultKind> KINDS = EnumSet.of(
            FaultKind.STATE,
            FaultKind.CONNECTION,
            FaultKind.CALL,
            FaultKind.ALLOCATION,
            FaultKind.TRANSFER,
            FaultKind.HEADER);
    private static final List<Long> ERRNOS = List.of(4L, 12L, 24L, 28L, 104L); // EINTR ...
    private static final int BYTES = 8;
    private static final int HEADER_SIZE = 16;
    private static final int LONGEST_MS = 200;
    private static final long NANOS_PER_MS = 1_000_000;

    private final FaultTable table;
    private final List<FaultPoint> points;
    private Optional<FaultPoint> armed = Optional.empty();

    /** Creates the fault table in a new file. */
    RandomFaults(Path file) throws IOException {
        table = FaultTable.create(file);
        points = FaultPoints.read().all().stream()
                .filter(point -> point.woven().isEmpty() && KINDS.contains(point.kind()))
                .toList();
    }

    /** Draws a fault and arms it for a process, replacing the previous one. */
    void arm(FaultRole role, long process, Random random) {
        disarm();
        var point = points.get(random.nextInt(points.size()));
        var actions = List.copyOf(new java.util.TreeSet<>(point.actions()));
        var action = actions.get(random.nextInt(actions.size()));
        var arguments = point.kind().parameters(action).stream()
                .map(parameter -> draw(parameter, random))
                .toList();
        table.arm(new Fault(role, point, action, arguments, 0, 1), (int) process);
        armed = Optional.of(point);
    }

    /** Disarms the current fault. */
    void disarm() {
        armed.ifPresent(table::disarm);
        armed = Optional.empty();
    }

    private static long draw(FaultParameter parameter, Random random) {
        return switch (parameter) {
            case ERRNO -> ERRNOS.get(random.nextInt(ERRNOS.size()));
            case BYTES -> 1 + random.nextInt(BYTES);
            case DURATION, JUMP -> NANOS_PER_MS * (1 + random.nextInt(LONGEST_MS));
            case OFFSET -> random.nextInt(HEADER_SIZE);
            case MASK -> 1 << random.nextInt(Byte.SIZE);
        };
    }

    /** Returns the number of injected faults. */
    long injected() {
        return table.eventCount();
    }

    @Override
    public void close() {
        table.close();
    }
}
