// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core.internal;

import java.util.concurrent.CompletableFuture;

/** Read-only views of futures. */
public final class FutureView {

    private FutureView() {}

    /**
     * Returns a future that completes as another one does. Unlike its
     * {@linkplain CompletableFuture#copy() copy}, it is cancelled when that one is.
     *
     * @param <T> the type of the result
     * @param source a future that is completed or cancelled
     * @return a new future
     */
    public static <T> CompletableFuture<T> of(CompletableFuture<T> source) {
        var view = new CompletableFuture<T>();
        source.whenComplete((value, cancellation) -> {
            if (cancellation == null) {
                view.complete(value);
            } else {
                view.cancel(false);
            }
        });
        return view;
    }
}
