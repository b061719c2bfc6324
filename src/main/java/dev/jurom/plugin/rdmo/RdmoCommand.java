// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin.rdmo;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** A command of the RDMO plugin: {@code struct urom_worker_rdmo_cmd}. */
public sealed interface RdmoCommand {

    /**
     * Initializes a client: {@code UROM_WORKER_CMD_RDMO_CLIENT_INIT}.
     *
     * @param id the id of the client in requests
     * @param address the client's UCP worker address
     */
    record InitializeClient(long id, MemorySegment address) implements RdmoCommand {
        /** Checks the components. */
        public InitializeClient {
            Objects.requireNonNull(address, "address");
        }
    }

    /**
     * Creates a receive queue for a peer: {@code UROM_WORKER_CMD_RDMO_RQ_CREATE}.
     *
     * @param address the peer's UCP worker address
     */
    record CreateReceiveQueue(MemorySegment address) implements RdmoCommand {
        /** Checks the components. */
        public CreateReceiveQueue {
            Objects.requireNonNull(address, "address");
        }
    }

    /**
     * Destroys a receive queue: {@code UROM_WORKER_CMD_RDMO_RQ_DESTROY}.
     *
     * @param id the queue's id, from {@link RdmoNotification.ReceiveQueueCreated}
     */
    record DestroyReceiveQueue(long id) implements RdmoCommand {}

    /**
     * Registers host memory: {@code UROM_WORKER_CMD_RDMO_MR_REG}.
     *
     * @param address the memory's address in the host
     * @param length its length in bytes
     * @param packedKey its packed UCX remote key
     * @param packedHandle its packed UCX memory handle; empty if UCX cannot export handles
     */
    record RegisterMemory(long address, long length, MemorySegment packedKey, MemorySegment packedHandle)
            implements RdmoCommand {
        /** Checks the components. */
        public RegisterMemory {
            Objects.requireNonNull(packedKey, "packedKey");
            Objects.requireNonNull(packedHandle, "packedHandle");
        }
    }

    /**
     * Deregisters memory: {@code UROM_WORKER_CMD_RDMO_MR_DEREG}.
     *
     * @param key the key, from {@link RdmoNotification.MemoryRegistered}
     */
    record DeregisterMemory(long key) implements RdmoCommand {}
}
