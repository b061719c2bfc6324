// SPDX-License-Identifier: Apache-2.0
package dev.jurom.testing;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/** Runs a part of a test in a thread of its own. */
public final class OtherThread {

    private static final long DEADLINE_SECONDS = 60;

    private OtherThread() {
    }

    /**
     * Runs something in a new thread and returns what it returns.
     *
     * @throws AssertionError with what it threw, or if it takes longer than a minute
     */
    public static <T> T run(String name, Callable<T> action) {
        var result = start(name, action);
        try {
            return result.orTimeout(DEADLINE_SECONDS, TimeUnit.SECONDS).join();
        } catch (CompletionException e) {
            throw new AssertionError("in thread " + name, e.getCause());
        }
    }

    /** Starts something in a new daemon thread. */
    public static <T> CompletableFuture<T> start(String name, Callable<T> action) {
        var result = new CompletableFuture<T>();
        Thread.ofPlatform().name(name).daemon().start(() -> {
            try {
                result.complete(action.call());
            } catch (Throwable e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }
}
