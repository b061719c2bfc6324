// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What whoever drives the engine does besides commands: what other threads ask for, and what is to
 * be done once some condition holds. Any thread may ask; all else is the leader's. An errand may
 * have its thread lead on, and thus run others, or step down before it returns: so each is taken
 * before it is run, and only who leads then takes the next.
 */
final class Errands {

    private static final System.Logger LOGGER = System.getLogger("dev.jurom");

    private final EngineLead lead;
    private final Queue<Runnable> asked = new ConcurrentLinkedQueue<>();
    private final List<Conditional> waiting = new ArrayList<>();
    private final AtomicInteger count = new AtomicInteger(); // asked, waiting, or being run

    /** Something to do when something else holds. */
    private record Conditional(BooleanSupplier condition, Runnable action) {
    }

    Errands(EngineLead lead) {
        this.lead = lead;
    }

    /** Has the leader run something soon. */
    void ask(Runnable errand) {
        count.incrementAndGet();
        asked.add(errand);
    }

    /** Has the leader run something once a condition holds. */
    void when(BooleanSupplier condition, Runnable action) {
        count.incrementAndGet();
        waiting.add(new Conditional(condition, action));
    }

    /** How many are not done. */
    int count() {
        return count.get();
    }

    /** Whether somebody has asked for something that is not begun. */
    boolean isAsked() {
        return !asked.isEmpty();
    }

    /** Runs what was asked for, and what waited for conditions that hold; whether there was any. */
    boolean run() {
        if (count.get() == 0) {
            return false;
        }
        var worked = false;
        for (var errand = take(); errand != null; errand = take()) {
            run(errand);
            worked = true;
        }
        return worked;
    }

    private @Nullable Runnable take() {
        if (!lead.isMine()) {
            return null;
        }
        var errand = asked.poll();
        return errand != null ? errand : takeWaiting();
    }

    private @Nullable Runnable takeWaiting() {
        for (var i = 0; i < waiting.size(); i++) {
            if (waiting.get(i).condition().getAsBoolean()) {
                return waiting.remove(i).action();
            }
        }
        return null;
    }

    private void run(Runnable errand) {
        try {
            errand.run();
        } catch (RuntimeException | Error e) {
            // The thread that drives the engine is somebody else's, who must not be hit by this.
            LOGGER.log(System.Logger.Level.ERROR,
                    "An errand of the progress engine's driver failed", e);
        } finally {
            count.decrementAndGet();
        }
    }
}
