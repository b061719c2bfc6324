// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ucx;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;

/**
 * The listeners of one worker, and who knocked. Requests are noted while UCX is on the stack and
 * delivered after it: endpoints are not to be made inside UCX's callback.
 */
final class Listeners {

    private record Arrival(UcxListener listener, UcxConnectionRequest request) {
    }

    private final Slots<UcxListener> slots = new Slots<>();
    private final ArrayDeque<Arrival> arrivals = new ArrayDeque<>();
    private int open;

    int add(UcxListener listener) {
        open++;
        return slots.add(listener);
    }

    void remove(int number) {
        open--;
        slots.remove(number);
    }

    int open() {
        return open;
    }

    /** Called by UCX. */
    void arrived(int number, MemorySegment request) {
        var listener = slots.get(number);
        arrivals.add(new Arrival(listener, new UcxConnectionRequest(listener, request)));
    }

    /** Hands each request to its listener's handler; one that stays unanswered is rejected. */
    void deliver() {
        for (var next = arrivals.poll(); next != null; next = arrivals.poll()) {
            try {
                next.listener.handler().accept(next.request);
            } finally {
                if (!next.request.isAnswered()) {
                    next.request.reject();
                }
            }
        }
    }

    /** Rejects who knocked at a listener that is about to close. */
    void rejectAll(UcxListener listener) {
        arrivals.removeIf(arrival -> {
            if (arrival.listener == listener) {
                arrival.request.reject();
            }
            return arrival.listener == listener;
        });
    }
}
