// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.host;

import dev.jurom.Worker;
import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.plugin.Offload;
import dev.jurom.proof.runs.plan.HostPlan;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread that calls and submits concurrently with others, with timeouts, cancellations, interrupts and
 * failures.
 */
final class ConcurrentCaller {

    private static final int ACTIONS = 40;
    private static final int MAX_BYTES = 200;
    private static final int WORKERS_OF_PLANS = 64; // the numbers of callers follow
    private static final double SHORTEST_NANOS = 1_000; // few commands are answered within this time
    private static final double LONGEST_NANOS = 300_000; // most commands are answered within this time
    private static final long SLOW_NANOS = 1_000_000;

    private final int number;
    private final HostPlan plan;
    private final Worker worker;
    private final Offload<Payload, Payload.Answer> echo;
    private final SplittableRandom random;
    private final ResultRecorder results;
    private final List<Thread> callers;
    private int submitted;

    /** A checked exception that an unpacker throws undeclared. */
    private static final class Thrown extends Exception {

        private static final long serialVersionUID = 1;
    }

    ConcurrentCaller(
            int number,
            HostPlan plan,
            Worker worker,
            SplittableRandom random,
            ResultRecorder results,
            List<Thread> callers) {
        this.number = number;
        this.plan = plan;
        this.worker = worker;
        this.echo = Payload.echo(plan.workers().getFirst());
        this.random = random;
        this.results = results;
        this.callers = callers;
    }

    void run() {
        for (var i = 0; i < ACTIONS && worker.isRunning() && !results.isLate(); i++) {
            try {
                perform();
            } catch (InterruptedException | CancellationException e) {
                continue; // caused by another caller or by this one
            } catch (TimeoutException e) {
                results.late(id());
            } catch (ExecutionException e) {
                check(e.getCause());
            } catch (Throwable e) { // a failure of one thread may appear in another
                check(e);
            }
        }
    }

    private void check(Throwable failure) {
        if (failure instanceof InterruptedException) {
            return;
        }
        if (failure instanceof DocaException || failure instanceof IllegalStateException && !worker.isRunning()) {
            results.error(id(), "call", failure);
        } else {
            results.broken("a concurrent caller received " + failure);
        }
    }

    private void perform() throws InterruptedException, ExecutionException, TimeoutException {
        switch (random.nextInt(10)) {
            case 0, 1 -> call();
            case 2, 3, 4 -> call(shortTimeout());
            case 5 -> submit();
            case 6 -> submitWithShortTimeout();
            case 7 -> worker.submit(echo, next()).cancel(false);
            case 8 -> callFailingUnpacker();
            default -> callers.get(random.nextInt(callers.size())).interrupt();
        }
    }

    private long id() {
        return plan.workers().getFirst().id();
    }

    private Payload next() {
        return Payload.of(plan.seed(), WORKERS_OF_PLANS + number, submitted++, MAX_BYTES);
    }

    private void requireOwn(Payload asked, Payload.Answer answer) {
        if (!asked.isAnsweredBy(answer)) {
            results.answered(id(), false);
            results.submitted();
        }
    }

    private void call() throws InterruptedException {
        if (!call(plan.patience())) {
            results.late(id());
        }
    }

    /** Returns a timeout with a logarithmically uniform distribution. */
    private Duration shortTimeout() {
        return Duration.ofNanos((long) Math.exp(random.nextDouble(Math.log(SHORTEST_NANOS), Math.log(LONGEST_NANOS))));
    }

    /** Returns whether the command was answered in time. A timeout before the deadline is a violation. */
    private boolean call(Duration timeout) throws InterruptedException {
        var command = next();
        var begin = System.nanoTime();
        try {
            requireOwn(command, worker.call(echo, command, timeout));
            return true;
        } catch (DocaException e) {
            var took = System.nanoTime() - begin;
            if (!isLate(e)) {
                throw e;
            }
            if (took < timeout.toNanos()) {
                results.broken("a call with a timeout of " + timeout.toNanos() / 1000 + " us timed out after "
                        + took / 1000 + " us");
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
        requireOwn(command, worker.submit(echo, command).get(2 * plan.patience().toMillis(), TimeUnit.MILLISECONDS));
    }

    /** The dependent action of a timed-out future takes longer than other commands. */
    private void submitWithShortTimeout() {
        worker.submit(echo, next(), shortTimeout()).whenComplete((answer, failure) -> {
            if (isLate(failure)) {
                LockSupport.parkNanos(SLOW_NANOS);
            }
        });
    }

    private void callFailingUnpacker() throws InterruptedException {
        var thrown = new Thrown();
        try {
            worker.call(
                    Offload.<Payload, Payload.Answer>of(
                            echo.plugin(), echo.version(), Payload::write, response -> throwUndeclared(thrown)),
                    next(),
                    plan.patience());
            results.broken("the exception of an unpacker was not thrown by its call");
        } catch (Exception e) { // including undeclared checked exceptions
            if (e != thrown) {
                throw e;
            }
        }
    }

    /** Throws a checked exception without declaring it, as other JVM languages can. */
    @SuppressWarnings("unchecked")
    private static <T, E extends Exception> T throwUndeclared(Exception thrown) throws E {
        throw (E) thrown;
    }
}
