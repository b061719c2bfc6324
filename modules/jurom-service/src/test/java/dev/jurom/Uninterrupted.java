// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import dev.jurom.plugin.Offload;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/** Calls and submissions where no checked exception may be thrown, and nobody interrupts. */
public final class Uninterrupted {

    private Uninterrupted() {}

    /** {@link Worker#call}. */
    public static <C, R> R call(Worker worker, Offload<C, R> offload, C command) {
        return run(() -> worker.call(offload, command));
    }

    /** {@link Worker#submit}. */
    public static <C, R> CompletableFuture<R> submit(Worker worker, Offload<C, R> offload, C command) {
        return run(() -> worker.submit(offload, command));
    }

    /** Runs what throws nothing but what is unchecked, and interrupts. */
    static <T> T run(Callable<T> action) {
        try {
            return action.call();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError("nobody interrupts", e);
        }
    }
}
