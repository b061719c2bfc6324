// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.workers;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The references on one worker, by session. Guarded by the lock of {@link Workers}. */
final class References {

    /**
     * Includes sessions that have released all references, because the worker still has their tickets and connections.
     */
    private final Map<RequestingHost, List<Reference>> bySession = new LinkedHashMap<>();

    private int count;

    void add(Reference reference) {
        bySession
                .computeIfAbsent(reference.session(), session -> new ArrayList<>())
                .add(reference);
        count++;
        reference.begin();
    }

    boolean isEmpty() {
        return count == 0;
    }

    int count() {
        return count;
    }

    List<Reference> all() {
        return bySession.values().stream().flatMap(List::stream).toList();
    }

    /** Returns the reference of a request. */
    Optional<Reference> find(RequestingHost session, long requestId) {
        return bySession.getOrDefault(session, List.of()).stream()
                .filter(reference -> reference.requestId() == requestId)
                .findFirst();
    }

    /** Removes a reference. */
    void remove(Reference reference) {
        if (bySession.getOrDefault(reference.session(), List.of()).remove(reference)) {
            count--;
            reference.end();
        }
    }

    /** Removes a session; returns false if it never had a reference. */
    boolean removeAll(RequestingHost session) {
        var held = bySession.remove(session);
        if (held == null) {
            return false;
        }
        count -= held.size();
        held.forEach(Reference::end);
        return true;
    }

    /** Removes and returns all references. */
    List<Reference> removeAll() {
        var all = all();
        bySession.clear();
        count = 0;
        all.forEach(Reference::end);
        return all;
    }
}
