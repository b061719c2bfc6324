// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin.sandbox;

import java.lang.foreign.MemorySegment;

/**
 * A command of the sandbox plugin: {@code struct urom_worker_sandbox_cmd}. Its context is the
 * caller's own value and comes back in the notification.
 */
public sealed interface SandboxCommand {

    /**
     * The caller's own value.
     *
     * @return the value that comes back in the notification
     */
    long context();

    /**
     * Maps host memory for the worker: {@code UROM_WORKER_CMD_SANDBOX_MEM_MAP}.
     *
     * @param context the caller's own value
     * @param parameters what to map
     * @param exportedHandle the packed exported memory handle, a {@code size_t} length in C; may be
     *     empty
     */
    record MapMemory(long context, MapParameters parameters, MemorySegment exportedHandle) implements SandboxCommand {}

    /**
     * Sends a tagged message: {@code UROM_WORKER_CMD_SANDBOX_TAG_SEND}. With the memory handle 0
     * its bytes travel in the command, otherwise the worker reads them from the host's memory.
     *
     * @param context the caller's own value
     * @param destination the domain id of the receiving worker
     * @param address where the message lies in host memory; the worker uses it with a handle only
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

        /**
         * A message that travels in the command.
         *
         * @param context the caller's own value
         * @param destination the domain id of the receiving worker
         * @param tag the message's tag
         * @param payload the message
         * @return the command
         */
        public static Send inline(long context, long destination, long tag, MemorySegment payload) {
            return new Send(context, destination, 0, payload.byteSize(), tag, 0, payload);
        }

        /**
         * A message that lies in mapped host memory.
         *
         * @param context the caller's own value
         * @param destination the domain id of the receiving worker
         * @param address where the message lies in host memory
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
     * Receives a tagged message: {@code UROM_WORKER_CMD_SANDBOX_TAG_RECV}. With the memory handle 0
     * its bytes travel in the notification, otherwise the worker writes them to the host's memory.
     *
     * @param context the caller's own value
     * @param address where the message goes in host memory; the worker uses it with a handle only
     * @param count the room for the message in bytes
     * @param tag the tag of the messages wanted
     * @param tagMask which bits of the tag count
     * @param memoryHandle a {@link SandboxNotification.MemoryMapped#memoryHandle()}, or 0
     */
    record Receive(long context, long address, long count, long tag, long tagMask, long memoryHandle)
            implements SandboxCommand {}

    /**
     * What {@code ucp_mem_map} is asked for: {@code ucp_mem_map_params_t}. The numbers are UCX's
     * own.
     *
     * @param fieldMask which of the fields count, {@code UCP_MEM_MAP_PARAM_FIELD_*}
     * @param address the start of the memory
     * @param length its length in bytes
     * @param flags {@code UCP_MEM_MAP_*}, 32 bits
     * @param protection {@code UCP_MEM_MAP_PROT_*}, 32 bits
     * @param memoryType {@code ucs_memory_type_t}
     */
    record MapParameters(long fieldMask, long address, long length, long flags, long protection, int memoryType) {}
}
