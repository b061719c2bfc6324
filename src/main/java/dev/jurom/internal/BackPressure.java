// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;

/**
 * Holds submitters back: a thread that finds no free slot of a worker waits for one. Any thread may
 * take one.
 */
final class BackPressure {

    private final DrivenWorker worker;
    private final EngineDriver driver;
    private final FreeSlots slots;

    BackPressure(DrivenWorker worker, EngineDriver driver, FreeSlots slots) {
        this.worker = worker;
        this.driver = driver;
        this.slots = slots;
    }

    /**
     * A slot, as soon as there is a free one.
     *
     * @throws DocaException with {@code AGAIN} if none became free in time
     * @throws IllegalStateException if the worker is closed meanwhile
     */
    CommandSlot take(long nanoseconds) {
        var slot = slots.tryTake();
        return slot != null ? slot : waitForSlot(nanoseconds);
    }

    private CommandSlot waitForSlot(long nanoseconds) {
        var event = new BackPressureEvent();
        event.begin();
        CommandSlot slot = null;
        try {
            slot = driver.isLeader() ? leadUntilSlot(nanoseconds) : slots.take(nanoseconds);
            if (slot == null) {
                worker.requireOpen();
                throw noSlot("All " + slots.size() + " commands are in flight, and none"
                        + " completed in time: submit less, or configure more tasks.");
            }
            return slot;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw noSlot("The thread was interrupted while it waited for a free task.");
        } finally {
            record(event, slot != null);
        }
    }

    private DocaException noSlot(String advice) {
        return new DocaException(DocaError.AGAIN, "doca_urom_worker_cmd_task_allocate",
                worker.toString(), advice);
    }

    private void record(BackPressureEvent event, boolean inTime) {
        event.end();
        if (event.shouldCommit()) {
            event.worker = worker.id();
            event.commands = slots.size();
            event.inTime = inTime;
            event.commit();
        }
    }

    /** For what depends on an answer: none becomes free unless the calling thread sees to it. */
    private CommandSlot leadUntilSlot(long nanoseconds) {
        var deadline = System.nanoTime() + nanoseconds;
        var slot = slots.tryTake();
        while (slot == null && !worker.isClosed() && deadline - System.nanoTime() > 0) {
            driver.leadOn(() -> slots.isAnyFree() || worker.isClosed(), deadline);
            slot = slots.tryTake();
        }
        return slot;
    }
}
