// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin.sandbox;

import java.lang.foreign.MemorySegment;

/** A notification of the sandbox plugin: {@code struct urom_worker_notify_sandbox}. */
public sealed interface SandboxNotification {

    /**
     * The caller's own value.
     *
     * @return the command's context
     */
    long context();

    /**
     * Host memory is mapped: {@code UROM_WORKER_NOTIFY_SANDBOX_MEM_MAP}.
     *
     * @param context the command's context
     * @param memoryHandle the worker's name for the memory, not 0
     */
    record MemoryMapped(long context, long memoryHandle) implements SandboxNotification {}

    /**
     * A message was sent: {@code UROM_WORKER_NOTIFY_SANDBOX_TAG_SEND}.
     *
     * @param context the command's context
     * @param status {@code ucs_status_t}: 0, or a negative error
     */
    record Sent(long context, int status) implements SandboxNotification {}

    /**
     * A message was received: {@code UROM_WORKER_NOTIFY_SANDBOX_TAG_RECV}.
     *
     * @param context the command's context
     * @param count how many bytes were received
     * @param senderTag the message's tag
     * @param status {@code ucs_status_t}: 0, or a negative error
     * @param payload the message, as a view of the response that ends with the task's release;
     *     {@link MemorySegment#NULL} when it went straight to host memory
     */
    record Received(long context, long count, long senderTag, int status, MemorySegment payload)
            implements SandboxNotification {

        /**
         * Whether the message came with the notification.
         *
         * @return whether {@link #payload()} is the message
         */
        public boolean isInline() {
            return !MemorySegment.NULL.equals(payload);
        }
    }
}
