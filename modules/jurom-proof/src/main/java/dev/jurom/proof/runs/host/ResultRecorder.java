// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.host;

import dev.jurom.Urom;
import dev.jurom.Worker;
import dev.jurom.WorkerConfiguration;
import dev.jurom.core.DocaException;
import dev.jurom.proof.runs.plan.HostPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;

/** Counts the results of a host. This class is thread-safe. */
final class ResultRecorder {

    private static final long SAME_NANOS = 1_000_000; // as in result.c

    private final HostPlan plan;
    private final List<HostError> errors = new ArrayList<>();
    private int submitted;
    private int answered;
    private int failed;
    private int wrong;
    private boolean late;
    private boolean idle = true;
    private boolean abrupt;

    ResultRecorder(HostPlan plan) {
        this.plan = plan;
    }

    synchronized void submitted() {
        submitted++;
    }

    /** Records a command that completed without an error. */
    synchronized void answered(long worker, boolean isExpected) {
        if (isExpected) {
            answered++;
        } else {
            wrong++;
            error(worker, "wrong", "UNEXPECTED");
        }
    }

    /** Records a command that completed with an error. */
    synchronized void failed(long worker, String call, Throwable failure) {
        failed++;
        error(worker, call, name(failure));
    }

    /** Records a command that completed because the host has closed its worker. */
    synchronized void closed() {
        failed++;
    }

    synchronized void error(long worker, String call, Throwable failure) {
        error(worker, call, name(failure));
    }

    /** Starts a worker. Returns empty and records the error if it does not start. */
    Optional<Worker> start(Urom urom, WorkerConfiguration configuration, String call) throws InterruptedException {
        try {
            return Optional.of(urom.startWorker(configuration));
        } catch (DocaException | IllegalStateException e) {
            error(configuration.id(), call, e);
            return Optional.empty();
        }
    }

    private void error(long worker, String call, String status) {
        var now = System.nanoTime();
        var last = errors.isEmpty() ? null : errors.getLast();
        if (last != null
                && last.worker() == worker
                && last.call().equals(call)
                && last.status().equals(status)
                && now - last.nanoseconds() < SAME_NANOS) {
            errors.removeLast();
            errors.add(new HostError(plan.number(), worker, call, status, last.nanoseconds(), last.count() + 1));
        } else {
            errors.add(new HostError(plan.number(), worker, call, status, now, 1));
        }
    }

    synchronized void late(long worker) {
        late = true;
        error(worker, "late", "TIME_OUT");
    }

    synchronized boolean isLate() {
        return late;
    }

    synchronized void notIdle() {
        idle = false;
    }

    synchronized void abrupt() {
        abrupt = true;
    }

    synchronized int answers() {
        return answered;
    }

    /** Returns the lines of the errors and of the result. */
    synchronized String lines() {
        var result = new HostResult(
                plan.run(),
                plan.number(),
                submitted,
                answered,
                failed,
                0, // futures complete once
                wrong,
                late,
                idle,
                abrupt,
                errors.size());
        return errors.stream().map(error -> error.line(plan.run()) + "\n").collect(Collectors.joining())
                + result.line();
    }

    /** Returns the name of a failure, which is a single word. */
    static String name(Throwable failure) {
        return switch (failure) {
            case DocaException doca -> doca.error().name();
            case CompletionException wrapped when wrapped.getCause() != null -> name(wrapped.getCause());
            case ExecutionException wrapped when wrapped.getCause() != null -> name(wrapped.getCause());
            default -> failure.getClass().getSimpleName();
        };
    }
}
