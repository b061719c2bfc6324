// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import dev.jurom.plugin.Offload;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/** Calls and submissions in code that cannot throw checked exceptions and is never interrupted. */
public final class Uninterrupted {

    private Uninterrupted() {}

    /** Calls {@link Worker#call}. */
    public static <C, R> R call(Worker worker, Offload<C, R> offload, C command) {
        return run(() -> worker.call(offload, command));
    }

    /** Calls {@link Worker#submit}. */
    public static <C, R> CompletableFuture<R> submit(Worker worker, Offload<C, R> offload, C command) {
        return run(() -> worker.submit(offload, command));
    }

    /** Runs an action that throws only unchecked exceptions and InterruptedException. */
    public static <T> T run(Callable<T> action) {
        try {
            return action.call();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError("interrupted unexpectedly", e);
        }
    }
}
