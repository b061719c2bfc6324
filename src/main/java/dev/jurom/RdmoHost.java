// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.jurom.plugin.HostMemory;
import dev.jurom.plugin.rdmo.RdmoCommand;
import dev.jurom.plugin.rdmo.RdmoCommand.InitializeClient;
import dev.jurom.plugin.rdmo.RdmoNotification;
import dev.jurom.plugin.rdmo.RdmoNotification.ClientInitialized;
import java.lang.foreign.MemorySegment;
import java.security.SecureRandom;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * This process as a client of a worker's RDMO plugin, which accepts one client per connection. The
 * client is created for the first target and closed after the worker. Thread-safe.
 */
final class RdmoHost {

    private static final SecureRandom RANDOM = new SecureRandom();

    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable Client client; // guarded by lock

    /**
     * An initialized client.
     *
     * @param id its id in requests, unique at the worker
     * @param memory the access to this process's memory
     * @param workerAddress the address to which peers send requests
     */
    record Client(long id, HostMemory memory, byte[] workerAddress) {}

    /** Submits a command of the plugin and waits for its answer. */
    @FunctionalInterface
    interface Caller {

        RdmoNotification call(RdmoCommand command) throws InterruptedException;
    }

    /** Returns the client, which the first call initializes. */
    Client client(Caller worker) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            var known = client;
            if (known == null) {
                known = introduce(worker);
                client = known;
            }
            return known;
        } finally {
            lock.unlock();
        }
    }

    private static Client introduce(Caller worker) throws InterruptedException {
        var memory = HostMemory.open();
        try {
            var id = RANDOM.nextLong();
            var answer =
                    (ClientInitialized) worker.call(new InitializeClient(id, MemorySegment.ofArray(memory.address())));
            return new Client(id, memory, answer.address().toArray(JAVA_BYTE));
        } catch (RuntimeException | Error | InterruptedException e) {
            memory.close();
            throw e;
        }
    }

    /** Closes the memory, which the closed worker no longer accesses. */
    void workerClosed() {
        lock.lock();
        try {
            if (client != null) {
                client.memory().close();
            }
        } finally {
            lock.unlock();
        }
    }
}
