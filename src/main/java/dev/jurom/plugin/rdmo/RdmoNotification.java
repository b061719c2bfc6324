// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin.rdmo;

import java.lang.foreign.MemorySegment;

/** A notification of the RDMO plugin: {@code struct urom_worker_notify_rdmo}. */
public sealed interface RdmoNotification {

    /**
     * A client is known: {@code UROM_WORKER_NOTIFY_RDMO_CLIENT_INIT}.
     *
     * @param address the worker's own UCP worker address, as a view of the response that ends with
     *     the task's release
     */
    record ClientInitialized(MemorySegment address) implements RdmoNotification {}

    /**
     * A receive queue is there: {@code UROM_WORKER_NOTIFY_RDMO_RQ_CREATE}.
     *
     * @param id the queue's id
     */
    record ReceiveQueueCreated(long id) implements RdmoNotification {}

    /**
     * A receive queue is gone: {@code UROM_WORKER_NOTIFY_RDMO_RQ_DESTROY}.
     *
     * @param id the queue's id
     */
    record ReceiveQueueDestroyed(long id) implements RdmoNotification {}

    /**
     * Memory is registered: {@code UROM_WORKER_NOTIFY_RDMO_MR_REG}.
     *
     * @param key names the memory in requests
     */
    record MemoryRegistered(long key) implements RdmoNotification {}

    /**
     * Memory is no longer registered: {@code UROM_WORKER_NOTIFY_RDMO_MR_DEREG}.
     *
     * @param key the key that names it no more
     */
    record MemoryDeregistered(long key) implements RdmoNotification {}
}
