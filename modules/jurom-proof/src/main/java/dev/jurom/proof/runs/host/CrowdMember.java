// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.host;

import dev.jurom.Worker;
import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.plugin.Offload;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.proof.runs.plan.HostPlan;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/** One thread of a crowd: calls and submits, with timeouts, cancels, interrupts and failures. */
final class CrowdMember {

    private static final int ACTS = 40;
    private static final int MAX_BYTES = 200;
    private static final int WORKERS_OF_PLANS = 64; // members have numbers beyond theirs
    private static final double SHORTEST_NANOS = 1_000; // in which few commands are answered
    private static final double LONGEST_NANOS = 300_000; // in which most of them are
    private static final long SLOW_NANOS = 1_000_000;

    private final int number;
    private final HostPlan plan;
    private final Worker worker;
    private final SplittableRandom random;
    private final Notes notes;
    private final List<Thread> crowd;
    private int given;

    /** What an unpacker throws that the compiler does not know of. */
    private static final class Thrown extends Exception {

        private static final long serialVersionUID = 1;
    }

    CrowdMember(int number, HostPlan plan, Worker worker, SplittableRandom random, Notes notes, List<Thread> crowd) {
        this.number = number;
        this.plan = plan;
        this.worker = worker;
        this.random = random;
        this.notes = notes;
        this.crowd = crowd;
    }

    void run() {
        for (var i = 0; i < ACTS && worker.isRunning() && !notes.isLate(); i++) {
            try {
                act();
            } catch (InterruptedException | CancellationException e) {
                continue; // by another one of the crowd, or by this one
            } catch (TimeoutException e) {
                notes.late();
            } catch (ExecutionException e) {
                judge(e.getCause());
            } catch (Throwable e) { // what one throws may turn up at another
                judge(e);
            }
        }
    }

    private void judge(Throwable failure) {
        if (failure instanceof InterruptedException) {
            return;
        }
        if (failure instanceof DocaException || failure instanceof IllegalStateException && !worker.isRunning()) {
            notes.refused("crowd", failure);
        } else {
            notes.broken("a thread of a crowd was hit by " + failure);
        }
    }

    private void act() throws InterruptedException, ExecutionException, TimeoutException {
        switch (random.nextInt(10)) {
            case 0, 1 -> call();
            case 2, 3, 4 -> call(shortly());
            case 5 -> submit();
            case 6 -> submitShortly();
            case 7 -> worker.submit(Payload.ECHO, next()).cancel(false);
            case 8 -> callWhatFails();
            default -> crowd.get(random.nextInt(crowd.size())).interrupt();
        }
    }

    private Payload next() {
        return Payload.of(plan.seed(), WORKERS_OF_PLANS + number, given++, MAX_BYTES);
    }

    private void requireOwn(Payload asked, Payload.Answer answer) {
        if (!asked.isAnsweredBy(answer)) {
            notes.answered(false);
            notes.submitted();
        }
    }

    private void call() throws InterruptedException {
        if (!call(plan.patience())) {
            notes.late();
        }
    }

    /** Each power of two has the same chance. */
    private Duration shortly() {
        return Duration.ofNanos((long) Math.exp(random.nextDouble(Math.log(SHORTEST_NANOS), Math.log(LONGEST_NANOS))));
    }

    /** Whether it was answered in time; what is late before its time is so by another's. */
    private boolean call(Duration timeout) throws InterruptedException {
        var command = next();
        var begin = System.nanoTime();
        try {
            requireOwn(command, worker.call(Payload.ECHO, command, timeout));
            return true;
        } catch (DocaException e) {
            var took = System.nanoTime() - begin;
            if (!isLate(e)) {
                throw e;
            }
            if (took < timeout.toNanos()) {
                notes.broken("a call with " + timeout.toNanos() / 1000 + " us was ended as late after " + took / 1000
                        + " us");
            }
            return false;
        }
    }

    private static boolean isLate(Throwable failure) {
        return failure instanceof DocaException late
                && (late.error() == DocaError.TIME_OUT || late.error() == DocaError.AGAIN);
    }

    private void submit() throws InterruptedException, ExecutionException, TimeoutException {
        var command = next();
        requireOwn(
                command,
                worker.submit(Payload.ECHO, command).get(2 * plan.patience().toMillis(), TimeUnit.MILLISECONDS));
    }

    /** A late future runs its dependent action for longer than other commands take. */
    private void submitShortly() {
        worker.submit(Payload.ECHO, next(), shortly()).whenComplete((answer, failure) -> {
            if (isLate(failure)) {
                LockSupport.parkNanos(SLOW_NANOS);
            }
        });
    }

    private void callWhatFails() throws InterruptedException {
        var thrown = new Thrown();
        try {
            worker.call(
                    Offload.<Payload, Payload.Answer>of(
                            GraphPlugin.NAME, GraphPlugin.VERSION, Payload::write, response -> sneak(thrown)),
                    next(),
                    plan.patience());
            notes.broken("what an unpacker throws is not thrown by its call");
        } catch (Exception e) { // also checked ones, which sneak hides from the compiler
            if (e != thrown) {
                throw e;
            }
        }
    }

    /** As other languages do, which know no checked exceptions. */
    @SuppressWarnings("unchecked")
    private static <T, E extends Exception> T sneak(Exception thrown) throws E {
        throw (E) thrown;
    }
}
