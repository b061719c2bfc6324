// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import dev.jurom.urom.CommandTask;
import java.lang.foreign.MemorySegment;

/**
 * A native command task of a worker, on its way: taken and filled by the thread that submits,
 * queued, submitted and completed by whichever drives the engine, and given back. Its fields belong
 * to the thread that has it; the queue hands them over.
 */
final class CommandSlot {

    final DrivenWorker worker;
    final CommandTask task;
    final MemorySegment payload;
    final int place; // among the worker's slots

    /** What waits for the answer. */
    CommandFuture<?> future;
    /** How many bytes of the payload are sent, and to which plugin. */
    long length;
    long plugin;

    /** The one that was queued before. */
    CommandSlot next;

    CommandSlot(DrivenWorker worker, CommandTask task, int place) {
        this.worker = worker;
        this.task = task;
        this.place = place;
        this.payload = task.payload();
    }
}
