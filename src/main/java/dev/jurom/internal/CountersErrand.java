// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import dev.jurom.core.DocaException;
import dev.jurom.urom.HostCounters;
import dev.jurom.urom.UromService;
import org.jspecify.annotations.Nullable;

/**
 * Asks a service context what was counted; for the leader.
 *
 * @param service which
 * @param answer takes the counters
 */
record CountersErrand(UromService service, DrivenFuture<HostCounters> answer) implements Runnable {

    /** What was counted on a service; null: its library does not count. */
    static @Nullable HostCounters count(UromService service) {
        try {
            return service.counters();
        } catch (DocaException e) {
            return null; // the vendor's
        }
    }

    @Override
    public void run() {
        HostCounters counters;
        try {
            counters = service.counters();
        } catch (RuntimeException e) {
            answer.completeExceptionally(e);
            return;
        }
        answer.complete(counters); // last: what depends on it may have this thread step down
    }
}
