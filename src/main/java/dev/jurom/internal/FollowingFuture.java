// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * A future for the application that follows one of the engine thread.
 *
 * @param <T> the type of the result
 */
final class FollowingFuture<T> extends EngineFuture<T> {

    private final CompletableFuture<T> source;
    private final Consumer<T> unwanted; // receives a result that arrives too late

    FollowingFuture(Deliveries deliveries, CompletableFuture<T> source, Consumer<T> unwanted) {
        super(deliveries);
        this.source = source;
        this.unwanted = unwanted;
    }

    /** Begins to follow the source. If the source is complete, this is complete afterwards. */
    void begin() {
        if (source.isDone()) {
            run();
        } else {
            source.whenComplete((value, failure) -> deliveries.deliver(this));
        }
    }

    @Override
    void finish() {
        switch (source.state()) {
            case CANCELLED -> cancel(false);
            case FAILED -> completeExceptionally(source.exceptionNow());
            default -> {
                if (!complete(source.resultNow())) {
                    unwanted.accept(source.resultNow());
                }
            }
        }
    }
}
