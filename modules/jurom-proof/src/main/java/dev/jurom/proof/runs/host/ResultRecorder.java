// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.host;

import dev.jurom.core.DocaException;
import dev.jurom.proof.runs.plan.HostPlan;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Counts the results of a host. This class is thread-safe. */
final class ResultRecorder {

    private final HostPlan plan;
    private final Set<String> errors = new TreeSet<>();
    private int submitted;
    private int answered;
    private int failed;
    private int duplicated;
    private int wrong;
    private int refused;
    private boolean late;
    private boolean idle = true;
    private boolean abrupt;

    ResultRecorder(HostPlan plan) {
        this.plan = plan;
    }

    synchronized void submitted() {
        submitted++;
    }

    /** Records a successful command. */
    synchronized void answered(boolean own) {
        if (own) {
            answered++;
        } else {
            wrong++;
        }
    }

    synchronized void failed(Object status) {
        failed++;
        errors.add("task:" + status);
    }

    synchronized void duplicated() {
        duplicated++;
    }

    synchronized void refused(String call, Throwable failure) {
        refused++;
        errors.add(call + ":" + name(failure));
    }

    synchronized void late() {
        late = true;
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

    /** Reports immediately a violated invariant that must hold under all faults. */
    void broken(String description) {
        System.out.println("broken run=" + plan.run() + " number=" + plan.number() + " " + description);
    }

    synchronized int answers() {
        return answered;
    }

    synchronized HostResult result() {
        return new HostResult(
                plan.run(),
                plan.number(),
                submitted,
                answered,
                failed,
                duplicated,
                wrong,
                refused,
                late,
                idle,
                abrupt,
                String.join("+", errors));
    }

    /** Returns a single word for a failure. */
    static String name(Throwable failure) {
        return switch (failure) {
            case DocaException refused -> refused.error().name();
            case CompletionException wrapped when wrapped.getCause() != null -> name(wrapped.getCause());
            case ExecutionException wrapped when wrapped.getCause() != null -> name(wrapped.getCause());
            default -> failure.getClass().getSimpleName();
        };
    }
}
