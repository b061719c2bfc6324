// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin.sandbox;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** A notification of the sandbox plugin: {@code struct urom_worker_notify_sandbox}. */
public sealed interface SandboxNotification {

    /**
     * Returns the context of the command.
     *
     * @return the value that the caller chose
     */
    long context();

    /**
     * Host memory has been mapped: {@code UROM_WORKER_NOTIFY_SANDBOX_MEM_MAP}.
     *
     * @param context the command's context
     * @param memoryHandle the worker's handle of the memory, not 0
     */
    record MemoryMapped(long context, long memoryHandle) implements SandboxNotification {}

    /**
     * A message has been sent: {@code UROM_WORKER_NOTIFY_SANDBOX_TAG_SEND}.
     *
     * @param context the command's context
     * @param status {@code ucs_status_t}: 0, or a negative error
     */
    record Sent(long context, int status) implements SandboxNotification {}

    /**
     * A message has been received: {@code UROM_WORKER_NOTIFY_SANDBOX_TAG_RECV}.
     *
     * @param context the command's context
     * @param count the number of bytes received
     * @param senderTag the message's tag
     * @param status {@code ucs_status_t}: 0, or a negative error
     * @param payload the message, as a slice of the response that is valid until the task is released;
     *     {@link MemorySegment#NULL} if the worker wrote it to host memory
     */
    record Received(long context, long count, long senderTag, int status, MemorySegment payload)
            implements SandboxNotification {

        /** Checks the components. */
        public Received {
            Objects.requireNonNull(payload, "payload");
        }

        /**
         * Returns whether the notification contains the message.
         *
         * @return true if {@link #payload()} is the message
         */
        public boolean isInline() {
            return !MemorySegment.NULL.equals(payload);
        }
    }
}
