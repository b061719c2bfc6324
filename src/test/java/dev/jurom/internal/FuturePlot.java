// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import static dev.jurom.races.Orders.require;

import dev.jurom.races.Actor;
import dev.jurom.races.Orders;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;

/** What is submitted, joined, asked of the driver, and what becomes of it when that is stopped. */
final class FuturePlot extends Stage {

    private boolean frees;
    private DrivenFuture<Long> left;

    FuturePlot(Consumer<Actor> add, int slots) {
        super(add, slots);
    }

    /** One submits so many, then waits for each. */
    FuturePlot submits(int count) {
        with("submitter", () -> {
            var first = submit(1);
            var second = count > 1 ? submit(2) : null;
            require(first.join() == 1, "another's answer");
            require(second == null || second.join() == 2, "another's answer");
        });
        return this;
    }

    /** One calls. */
    FuturePlot calls() {
        with("caller", () -> {
            try {
                require(call(ECHO, 9) == 9, "another's answer");
            } catch (InterruptedException e) {
                require(false, "nobody was interrupted");
            }
        });
        return this;
    }

    /** So many wait for one thing that the driver is asked for. */
    FuturePlot joined(int count) {
        var asked = new DrivenFuture<Long>(driver, null);
        for (var i = 0; i < count; i++) {
            with("joiner " + i, () -> require(asked.join() == 1, "another's answer"));
        }
        with("asker", () -> driver.control(() -> asked.complete(1L)));
        return this;
    }

    /** What the driver is asked for has its thread step down, as a wait for another driver does. */
    FuturePlot steppingDown() {
        with("asker", () -> driver.control(() -> OpenDrivers.stepDownFromAllBut(null)));
        return this;
    }

    /** The driver is stopped while somebody waits for what does not come. */
    FuturePlot stopped() {
        frees = true;
        left = new DrivenFuture<>(driver, null);
        with("joiner", () -> {
            try {
                left.join();
                require(false, "nobody has answered");
            } catch (CompletionException e) {
                require(e.getCause() instanceof IllegalStateException, "failed: " + e);
            }
        });
        with("closer", () -> driver.stop());
        return this;
    }

    /** As {@link DrivenService} does it. */
    @Override
    void drive() {
        driver.run();
        if (frees) {
            driver.free();
            left.completeExceptionally(new IllegalStateException("closed"));
        }
    }
}
