// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** What stands on the workers of one service, in the order in which it came. Any thread may ask. */
final class Dependents {

    private final List<Dependent> all = new ArrayList<>(); // guarded by itself

    /** Takes one more, whose workers must be open. */
    void add(Dependent dependent, Iterable<DrivenWorker> workers) {
        synchronized (all) {
            workers.forEach(DrivenWorker::requireOpen);
            all.add(dependent);
        }
    }

    /** It is closed, or never came to be. */
    void remove(Dependent dependent) {
        synchronized (all) {
            all.remove(dependent);
        }
    }

    /** Whether something stands on a worker, or is about to end. */
    boolean has(DrivenWorker worker) {
        synchronized (all) {
            return all.stream().anyMatch(dependent -> dependent.needs(worker));
        }
    }

    /** Does what closes a worker, unless something stands on that which others have to close. */
    void requireNone(DrivenWorker worker, Runnable closing) {
        synchronized (all) {
            var names = all.stream()
                    .filter(dependent -> dependent.needs(worker) && !dependent.isEnding())
                    .map(Dependent::toString).collect(Collectors.joining(", "));
            if (!names.isEmpty()) {
                throw new IllegalStateException(worker + " cannot be closed while others need it:"
                        + " close these first: " + names);
            }
            closing.run();
        }
    }

    /** What there is, in the order in which it came, as what closes by a deadline. */
    List<AutoCloseable> closingBy(Deadline deadline) {
        synchronized (all) {
            return all.stream().<AutoCloseable>map(one -> () -> one.close(deadline)).toList();
        }
    }
}
