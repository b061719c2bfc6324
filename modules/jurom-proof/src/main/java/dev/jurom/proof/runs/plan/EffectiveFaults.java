// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.plan;

import dev.jurom.proof.faults.Fault;
import dev.jurom.proof.faults.FaultAction;
import dev.jurom.proof.faults.FaultPoint;
import dev.jurom.proof.faults.FaultPoints;
import dev.jurom.proof.faults.FaultRole;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Faults that have revealed defects more often than others: where the two sides of a ring interleave, where a
 * connection is partially established, and where a plugin owes an answer. They are drawn in addition to the
 * general ones.
 */
final class EffectiveFaults {

    /** Long enough for the other side to make progress, and short enough to be repeated many times. */
    private static final long DELAY_MIN = 50_000; // ns

    private static final long DELAY_MAX = 2_000_000;
    private static final int TIMES_MIN = 20;
    private static final int TIMES_MAX = 400;
    private static final int AFTER_WRAP = 400; // by then, rings have wrapped

    private static final List<FaultRole> ENDS = List.of(FaultRole.HOST, FaultRole.WORKER);
    private static final List<String> INTERLEAVING = List.of(
            "ring_sleeping_for_data",
            "ring_sleeping_for_room",
            "ring_published",
            "ring_step_published",
            "ring_publishing",
            "ring_releasing");
    private static final List<String> CONNECTING = List.of(
            "channel_epoll_make",
            "process_open",
            "channel_epoll_control",
            "ring_memory_make",
            "ring_memory_map",
            "channel_memory");
    private static final List<String> ACCEPTING =
            List.of("worker_ticket_given", "worker_ticket_shown", "worker_rings_sent");
    private static final List<Long> SHORTAGES = List.of(12L, 24L); // ENOMEM, EMFILE
    private static final int LATEST = 4;

    private static final FaultPoints POINTS = FaultPoints.read();

    private final SplittableRandom random;

    EffectiveFaults(SplittableRandom random) {
        this.random = random;
    }

    List<Fault> draw() {
        return switch (random.nextInt(13)) {
            case 0, 1, 2 -> List.of(interleavingFault());
            case 3, 4 -> List.of(connectingFault());
            case 5 ->
                List.of(new Fault(
                        FaultRole.WORKER, point(ACCEPTING), FaultAction.KILL, List.of(), random.nextInt(LATEST), 1));
            case 6 ->
                List.of(new Fault(
                        FaultRole.HOST,
                        point(List.of("host_release_sent")),
                        FaultAction.DROP,
                        List.of(),
                        random.nextInt(LATEST),
                        1));
            case 7, 8, 9 ->
                List.of(new Fault(
                        FaultRole.WORKER,
                        point(List.of("plugin_answer")),
                        FaultAction.SILENCE,
                        List.of(),
                        random.nextInt(LATEST),
                        2));
            default ->
                List.of(new Fault(
                        FaultRole.WORKER,
                        point(List.of("worker_attached_sent")),
                        FaultAction.KILL,
                        List.of(),
                        random.nextInt(LATEST),
                        random.nextInt(1, LATEST)));
        };
    }

    private Fault interleavingFault() {
        return new Fault(
                ENDS.get(random.nextInt(2)),
                point(INTERLEAVING),
                FaultAction.DELAY,
                List.of(random.nextLong(DELAY_MIN, DELAY_MAX)),
                random.nextBoolean() ? 0 : random.nextInt(AFTER_WRAP),
                random.nextInt(TIMES_MIN, TIMES_MAX));
    }

    private Fault connectingFault() {
        var point = point(CONNECTING);
        var arguments = point.kind().parameters(FaultAction.FAIL).isEmpty()
                ? List.<Long>of()
                : List.of(SHORTAGES.get(random.nextInt(SHORTAGES.size())));
        var role =
                point.name().startsWith("ring_memory_make") || random.nextBoolean() ? FaultRole.WORKER : FaultRole.HOST;
        return new Fault(role, point, FaultAction.FAIL, arguments, random.nextInt(LATEST), 1);
    }

    private FaultPoint point(List<String> names) {
        return POINTS.find(names.get(random.nextInt(names.size()))).orElseThrow();
    }
}
