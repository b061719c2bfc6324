// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import dev.jurom.core.internal.Timeout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Ends what takes too long: commands that have not been answered, and errands that are not done. A
 * sweep over all slots, a few times within the usual timeout, costs a command no clock and no
 * object: its time begins when a sweep first sees it. Any thread may sweep that looks at the clock
 * anyway; one does at a time.
 */
final class CommandDeadlines {

    private static final int SWEEPS = 64; // within the usual timeout: what it is late by at most
    private static final long SHORTEST_PERIOD = 1_000_000;
    private static final long LONGEST_PERIOD = 1_000_000_000;

    private final Optional<Duration> usual;
    private final long period;
    private final List<DrivenWorker> workers = new CopyOnWriteArrayList<>();
    private final Queue<Errand> errands = new ConcurrentLinkedQueue<>();
    private final AtomicLong next = new AtomicLong(System.nanoTime());
    private final AtomicBoolean sweeping = new AtomicBoolean();
    private volatile @Nullable RuntimeException over;

    /** What is to be done in time that is no command. */
    private record Errand(DrivenFuture<?> future, Deadline deadline, Object asked) {
    }

    /** What is waited for and whose time is past. */
    private record Late(Reply reply, long turn, Deadline deadline, Object asked) {

        void fail() {
            reply.fail(turn, deadline.failure(asked));
        }
    }

    /** With what a command is given that has no time of its own; without: as long as it takes. */
    CommandDeadlines(Optional<Duration> usual) {
        this.usual = usual;
        this.period = Math.clamp(usual.map(Timeout::nanos).orElse(Long.MAX_VALUE) / SWEEPS,
                SHORTEST_PERIOD, LONGEST_PERIOD);
    }

    /** Fails what came too late for {@link #failAll}; no effect before that. */
    void failIfOver(Reply reply, long turn) {
        var reason = over;
        if (reason != null) {
            reply.fail(turn, reason);
        }
    }

    void add(DrivenWorker worker) {
        workers.add(worker);
    }

    void remove(DrivenWorker worker) {
        workers.remove(worker);
    }

    /** Ends an errand at a deadline of its own. */
    void add(DrivenFuture<?> errand, Deadline deadline, Object asked) {
        errands.add(new Errand(errand, deadline, asked));
        expect(deadline.at());
    }

    /** Sees to it that there is a sweep at a time, for something that the next one will find. */
    void expect(long deadline) {
        var planned = next.get();
        while (deadline - planned < 0 && !next.compareAndSet(planned, deadline)) {
            planned = next.get();
        }
    }

    /** When the next sweep is due. */
    long next() {
        return next.get();
    }

    /** Sweeps if it is time to; whether it did. Runs what depends on what it ends. */
    boolean sweepIfDue(long now) {
        if (now - next.get() < 0 || !sweeping.compareAndSet(false, true)) {
            return false;
        }
        var late = new ArrayList<Late>();
        try {
            next.set(now + period); // first: what is expected meanwhile comes earlier
            for (var worker : workers) {
                look(worker, now, late);
            }
            errands.removeIf(errand -> errand.future().isDone());
            for (var errand : errands) {
                look(errand.future(), errand.asked(), now, late);
            }
        } finally {
            sweeping.set(false);
        }
        late.forEach(Late::fail);
        return true;
    }

    private void look(DrivenWorker worker, long now, List<Late> late) {
        for (var i = 0; i < worker.slots().size(); i++) {
            var reply = worker.slots().get(i).expected();
            if (reply != null) {
                look(reply, worker, now, late);
            }
        }
    }

    private void look(Reply reply, Object asked, long now, List<Late> late) {
        var turn = reply.turn(); // first: what is seen below may be of a later one, which is not late
        if (reply.deadline() == null && usual.isPresent()) {
            reply.limit(new Deadline(now + Timeout.nanos(usual.get()), usual.get()));
        }
        var deadline = reply.deadline();
        if (deadline == null || reply.isDone()) {
            return;
        }
        if (deadline.at() - now <= 0) {
            late.add(new Late(reply, turn, deadline, asked));
        } else {
            expect(deadline.at());
        }
    }

    /** Ends everything, now and for good: nobody drives the engine any more. */
    void failAll(RuntimeException reason) {
        over = reason; // first: who asks for something after this sees it
        for (var worker : workers) {
            for (var i = 0; i < worker.slots().size(); i++) {
                var reply = worker.slots().get(i).expected();
                if (reply != null) {
                    reply.fail(reply.turn(), reason);
                }
            }
        }
        errands.forEach(errand -> errand.future().completeExceptionally(reason));
        errands.clear();
    }
}
