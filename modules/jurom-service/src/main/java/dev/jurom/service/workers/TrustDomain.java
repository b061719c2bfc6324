// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.workers;

import dev.jurom.urom.WorkerId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The workers that run as one user. Each domain has its own ids, groups, sharing and limits, and users do not
 * see each other's workers. Guarded by the lock of {@link Workers}.
 */
final class TrustDomain {

    private final int userId;
    /** The workers that hosts can request, without workers that are exiting. */
    private final Map<Long, SpawnedWorker> byId = new HashMap<>();
    /** Number of processes that have not ended. */
    private int running;

    private int references;
    private long nextId = 1;

    TrustDomain(int userId) {
        this.userId = userId;
    }

    int userId() {
        return userId;
    }

    Optional<SpawnedWorker> find(long id) {
        return Optional.ofNullable(byId.get(id));
    }

    /** Returns the id of a new worker: the requested one, or an unused one. */
    long idFor(long wanted) {
        if (wanted != WorkerId.ANY) {
            return wanted;
        }
        while (byId.containsKey(nextId)) {
            nextId++;
        }
        return nextId++;
    }

    void add(SpawnedWorker worker) {
        byId.put(worker.id(), worker);
        running++;
    }

    /** Removes a worker from those that hosts can request; returns false if it was not among them. */
    boolean remove(SpawnedWorker worker) {
        return byId.remove(worker.id(), worker);
    }

    /** Removes a worker whose process has ended. */
    void ended(SpawnedWorker worker) {
        remove(worker);
        running--;
    }

    int running() {
        return running;
    }

    /** Returns the number of references of all connections on all workers. */
    int references() {
        return references;
    }

    void countReferences(int change) {
        references += change;
    }

    /** Returns the ids of the ready workers of a group, in ascending order. */
    List<Long> ofGroup(int group) {
        return byId.values().stream()
                .filter(SpawnedWorker::isReady)
                .filter(worker -> worker.group().isPresent() && worker.group().getAsInt() == group)
                .map(SpawnedWorker::id)
                .sorted(Long::compareUnsigned)
                .toList();
    }

    /** Returns the name of its user in messages. */
    @Override
    public String toString() {
        return nameOf(userId);
    }

    /** Returns the name of a user in messages. */
    static String nameOf(int userId) {
        return "user " + Integer.toUnsignedString(userId);
    }
}
