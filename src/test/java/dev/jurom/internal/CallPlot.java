// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import static dev.jurom.races.Orders.require;

import dev.jurom.plugin.Offload;
import dev.jurom.races.Actor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;

/** Callers of one worker, and perhaps somebody who interrupts, or a sweep. */
final class CallPlot extends Stage {

    private static final Exception UNPACKED = new Exception("by an unpacker");

    /** In other languages all that is thrown is unchecked. */
    private static final Offload<Long, Long> THROWING = Offload.of("throwing", 1, ECHO::pack,
            response -> CallPlot.<Long, RuntimeException>sneak(UNPACKED));

    private final List<Actor> callers = new ArrayList<>();
    private final int calls;
    private Offload<Long, Long> offload = ECHO;
    private int begun; // the latest call
    private boolean isSwept;

    CallPlot(Consumer<Actor> add, int count, int slots, int calls) {
        super(add, slots);
        this.calls = calls;
        for (var i = 0; i < count; i++) {
            var first = 100L * i;
            callers.add(with("caller " + i, () -> callAll(first)));
        }
    }

    @SuppressWarnings("unchecked")
    private static <T, E extends Exception> T sneak(Exception thrown) throws E {
        throw (E) thrown;
    }

    /** Somebody interrupts the first caller at any time. */
    CallPlot interrupted() {
        with("interrupter", callers.getFirst()::interrupt);
        return this;
    }

    /** No answer can be unpacked. */
    CallPlot throwing() {
        offload = THROWING;
        return this;
    }

    /** A sweep ends the call that it sees, as it does with those that are late. */
    CallPlot swept() {
        isSwept = true;
        with("sweep", () -> {
            var reply = worker.slots.get(0).expected();
            if (reply != null) {
                var turn = reply.turn();
                reply.fail(turn, new Swept(begun));
            }
        });
        return this;
    }

    private static final class Swept extends RuntimeException {

        private static final long serialVersionUID = 1;

        private final int call;

        Swept(int call) {
            this.call = call;
        }
    }

    private void callAll(long first) {
        for (var i = 0; i < calls; i++) {
            try {
                begun = i;
                var answer = call(offload, first + i);
                require(answer == first + i, first + i + " was answered with " + answer);
            } catch (InterruptedException e) {
                break;
            } catch (CompletionException e) {
                require(e.getCause() == UNPACKED, "a call failed: " + e);
            } catch (Swept e) {
                require(isSwept && e.call == i, "a sweep ended another call");
            }
        }
    }
}
