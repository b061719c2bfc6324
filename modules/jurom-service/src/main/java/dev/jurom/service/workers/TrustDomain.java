// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.workers;

import dev.jurom.urom.WorkerId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The workers that run as one user. Ids, groups, sharing and limits are a domain's own: users do
 * not see each other's workers. Guarded by the lock of {@link Workers}.
 */
final class TrustDomain {

    private final int userId;
    /** Those that hosts can ask for. A worker that was told to leave is not among them. */
    private final Map<Long, SpawnedWorker> byId = new HashMap<>();
    /** How many processes have not ended. */
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

    /** The id of a new worker: the one that was asked for, or a fresh one. */
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

    /** Hosts cannot ask for it any more; false if they could not before. */
    boolean remove(SpawnedWorker worker) {
        return byId.remove(worker.id(), worker);
    }

    /** Its process has ended. */
    void ended(SpawnedWorker worker) {
        remove(worker);
        running--;
    }

    int running() {
        return running;
    }

    /** Of all connections, on all workers. */
    int references() {
        return references;
    }

    void countReferences(int change) {
        references += change;
    }

    /** The ids of the workers of a group that run, in ascending order. */
    List<Long> ofGroup(int group) {
        return byId.values().stream()
                .filter(SpawnedWorker::isReady)
                .filter(worker -> worker.group().isPresent() && worker.group().getAsInt() == group)
                .map(SpawnedWorker::id)
                .sorted(Long::compareUnsigned)
                .toList();
    }
}
