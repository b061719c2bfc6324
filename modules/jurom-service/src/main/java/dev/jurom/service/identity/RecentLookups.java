// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.identity;

import dev.jurom.core.DocaError;
import dev.jurom.runtime.DaemonException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A cache of lookups, including those that failed or found nothing. A lookup may start a process and query a
 * server, so clients must not be able to repeat it at will. This class is thread-safe.
 */
final class RecentLookups<K, V> {

    private static final Duration FOUND_LIFETIME = Duration.ofSeconds(60);
    private static final Duration NOT_FOUND_LIFETIME = Duration.ofSeconds(10);
    private static final Duration QUEUE_TIMEOUT = Duration.ofSeconds(5);
    private static final int ENTRIES = 4096;
    private static final int MAX_CONCURRENT = 2;

    /** The result of a lookup: its value, or the reason for its failure. */
    private record Entry<V>(Optional<V> value, @Nullable String failure, long end) {}

    private final Function<K, Optional<V>> source;
    private final Semaphore running = new Semaphore(MAX_CONCURRENT, true);
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<K, Entry<V>> entries = new LinkedHashMap<>(); // guarded by lock

    RecentLookups(Function<K, Optional<V>> source) {
        this.source = source;
    }

    /**
     * Returns the source's value, or a cached value that is at most 60 s old. Blocks for at most 5 s while
     * other lookups run, and for the lookup itself.
     *
     * @throws RequestRefused if other lookups take longer, or the source throws a {@link DaemonException}
     */
    Optional<V> of(K key) throws RequestRefused {
        var known = known(key);
        if (known == null) {
            acquirePermit();
            try {
                known = known(key); // another thread may have looked it up meanwhile
                if (known == null) {
                    known = lookUp(key);
                }
            } finally {
                running.release();
            }
        }
        if (known.failure != null) {
            throw new RequestRefused(DocaError.AGAIN, "The service cannot look up accounts: " + known.failure);
        }
        return known.value;
    }

    private Entry<V> lookUp(K key) {
        try {
            var value = source.apply(key);
            return keep(key, value, null, value.isPresent() ? FOUND_LIFETIME : NOT_FOUND_LIFETIME);
        } catch (DaemonException e) {
            return keep(key, Optional.empty(), String.valueOf(e.getMessage()), NOT_FOUND_LIFETIME);
        }
    }

    /** Returns whether the last lookup found nothing and is less than 10 s old. Does not block. */
    boolean isKnownAbsent(K key) {
        var entry = known(key);
        return entry != null && entry.failure == null && entry.value.isEmpty();
    }

    private void acquirePermit() throws RequestRefused {
        try {
            if (running.tryAcquire(QUEUE_TIMEOUT.toNanos(), TimeUnit.NANOSECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new RequestRefused(
                DocaError.AGAIN,
                "The service is busy with lookups of other users' accounts"
                        + " and could not look up this account within " + QUEUE_TIMEOUT.toSeconds()
                        + " s: connect again later");
    }

    private @Nullable Entry<V> known(K key) {
        lock.lock();
        try {
            var entry = entries.get(key);
            return entry != null && System.nanoTime() - entry.end < 0 ? entry : null;
        } finally {
            lock.unlock();
        }
    }

    private Entry<V> keep(K key, Optional<V> value, @Nullable String failure, Duration time) {
        var entry = new Entry<>(value, failure, System.nanoTime() + time.toNanos());
        lock.lock();
        try {
            entries.remove(key); // moves it to the end of the insertion order
            entries.put(key, entry);
            if (entries.size() > ENTRIES) {
                entries.remove(entries.keySet().iterator().next());
            }
            return entry;
        } finally {
            lock.unlock();
        }
    }

    /** Removes all entries. */
    void clear() {
        lock.lock();
        try {
            entries.clear();
        } finally {
            lock.unlock();
        }
    }
}
