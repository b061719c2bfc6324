// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin.rdmo;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** A notification of the RDMO plugin: {@code struct urom_worker_notify_rdmo}. */
public sealed interface RdmoNotification {

    /**
     * A client has been initialized: {@code UROM_WORKER_NOTIFY_RDMO_CLIENT_INIT}.
     *
     * @param address the address of the worker's own UCP worker, as a slice of the response that is
     *     valid until the task is released
     */
    record ClientInitialized(MemorySegment address) implements RdmoNotification {
        /** Checks the components. */
        public ClientInitialized {
            Objects.requireNonNull(address, "address");
        }
    }

    /**
     * A receive queue has been created: {@code UROM_WORKER_NOTIFY_RDMO_RQ_CREATE}.
     *
     * @param id the queue's id
     */
    record ReceiveQueueCreated(long id) implements RdmoNotification {}

    /**
     * A receive queue has been destroyed: {@code UROM_WORKER_NOTIFY_RDMO_RQ_DESTROY}.
     *
     * @param id the queue's id
     */
    record ReceiveQueueDestroyed(long id) implements RdmoNotification {}

    /**
     * Memory has been registered: {@code UROM_WORKER_NOTIFY_RDMO_MR_REG}.
     *
     * @param key the key of the memory in requests
     */
    record MemoryRegistered(long key) implements RdmoNotification {}

    /**
     * Memory has been deregistered: {@code UROM_WORKER_NOTIFY_RDMO_MR_DEREG}.
     *
     * @param key its former key
     */
    record MemoryDeregistered(long key) implements RdmoNotification {}
}
