// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin.sandbox;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * A command of the sandbox plugin: {@code struct urom_worker_sandbox_cmd}. Its context is any value of
 * the caller, which the notification returns.
 */
public sealed interface SandboxCommand {

    /**
     * Returns the context.
     *
     * @return the value that the notification returns
     */
    long context();

    /**
     * Maps host memory for the worker: {@code UROM_WORKER_CMD_SANDBOX_MEM_MAP}.
     *
     * @param context any value, which the notification returns
     * @param parameters the memory to map
     * @param exportedHandle the packed exported memory handle, whose length is a {@code size_t} in C; may
     *     be empty
     */
    record MapMemory(long context, MapParameters parameters, MemorySegment exportedHandle) implements SandboxCommand {
        /** Checks the components. */
        public MapMemory {
            Objects.requireNonNull(parameters, "parameters");
            Objects.requireNonNull(exportedHandle, "exportedHandle");
        }
    }

    /**
     * Sends a tagged message: {@code UROM_WORKER_CMD_SANDBOX_TAG_SEND}. With the memory handle 0,
     * the command contains the message; otherwise the worker reads it from host memory.
     *
     * @param context any value, which the notification returns
     * @param destination the domain id of the receiving worker
     * @param address the address of the message in host memory; unused if the handle is 0
     * @param count the message's length in bytes
     * @param tag the message's tag
     * @param memoryHandle a {@link SandboxNotification.MemoryMapped#memoryHandle()}, or 0
     * @param payload the message if the handle is 0, otherwise empty
     */
    record Send(
            long context,
            long destination,
            long address,
            long count,
            long tag,
            long memoryHandle,
            MemorySegment payload)
            implements SandboxCommand {

        /** Checks the components. */
        public Send {
            Objects.requireNonNull(payload, "payload");
        }

        /**
         * Returns a send of an inline message.
         *
         * @param context any value, which the notification returns
         * @param destination the domain id of the receiving worker
         * @param tag the message's tag
         * @param payload the message
         * @return the command
         */
        public static Send inline(long context, long destination, long tag, MemorySegment payload) {
            return new Send(context, destination, 0, payload.byteSize(), tag, 0, payload);
        }

        /**
         * Returns a send of a message in mapped host memory.
         *
         * @param context any value, which the notification returns
         * @param destination the domain id of the receiving worker
         * @param address the address of the message in host memory
         * @param count the message's length in bytes
         * @param tag the message's tag
         * @param memoryHandle a {@link SandboxNotification.MemoryMapped#memoryHandle()}, not 0
         * @return the command
         */
        public static Send mapped(
                long context, long destination, long address, long count, long tag, long memoryHandle) {
            return new Send(context, destination, address, count, tag, memoryHandle, MemorySegment.NULL);
        }
    }

    /**
     * Receives a tagged message: {@code UROM_WORKER_CMD_SANDBOX_TAG_RECV}. With the memory handle 0,
     * the notification contains the message; otherwise the worker writes it to host memory.
     *
     * @param context any value, which the notification returns
     * @param address the address of the buffer in host memory; unused if the handle is 0
     * @param count the maximum length of the message in bytes
     * @param tag the tag to be matched
     * @param tagMask the bits of the tag that must match
     * @param memoryHandle a {@link SandboxNotification.MemoryMapped#memoryHandle()}, or 0
     */
    record Receive(long context, long address, long count, long tag, long tagMask, long memoryHandle)
            implements SandboxCommand {}

    /**
     * The parameters of {@code ucp_mem_map}: {@code ucp_mem_map_params_t}, with the constants of UCX.
     *
     * @param fieldMask the valid fields, {@code UCP_MEM_MAP_PARAM_FIELD_*}
     * @param address the address of the memory
     * @param length its length in bytes
     * @param flags {@code UCP_MEM_MAP_*}, 32 bits
     * @param protection {@code UCP_MEM_MAP_PROT_*}, 32 bits
     * @param memoryType {@code ucs_memory_type_t}
     */
    record MapParameters(long fieldMask, long address, long length, long flags, long protection, int memoryType) {}
}
