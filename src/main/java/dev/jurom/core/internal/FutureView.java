// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core.internal;

import java.util.concurrent.CompletableFuture;

/** What callers get of a future that is not theirs to complete. */
public final class FutureView {

    private FutureView() {}

    /**
     * Follows a future; other than its copy, it is cancelled when that is.
     *
     * @param <T> what it gives
     * @param source a future that is completed or cancelled
     * @return one that ends as the source does
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
