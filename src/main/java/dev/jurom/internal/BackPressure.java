// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import org.jspecify.annotations.Nullable;

/**
 * Holds submitters back: a thread that finds no free slot of a worker waits for one. Any thread may
 * take one.
 */
final class BackPressure {

    private static final long RETRY_NANOS = 1_000_000;

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
     * @throws InterruptedException if the calling thread is interrupted while it waits
     */
    CommandSlot take(long nanoseconds) throws InterruptedException {
        var slot = slots.tryTake();
        return slot != null ? slot : waitForSlot(nanoseconds);
    }

    private CommandSlot waitForSlot(long nanoseconds) throws InterruptedException {
        var event = new BackPressureEvent();
        event.begin();
        CommandSlot slot = null;
        OpenDrivers.stepDownFromAllBut(driver);
        try {
            slot = driver.isLeader() ? leadUntilSlot(nanoseconds) : slots.take(nanoseconds);
            if (slot == null) {
                worker.requireOpen();
                throw noSlot("All " + slots.size() + " commands are in flight, and none"
                        + " completed in time: submit less, or configure more tasks.");
            }
            return slot;
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
    private @Nullable CommandSlot leadUntilSlot(long nanoseconds) throws InterruptedException {
        var deadline = System.nanoTime() + nanoseconds;
        var slot = slots.tryTake();
        while (slot == null && !worker.isClosed() && deadline - System.nanoTime() > 0) {
            if (driver.leadUntil(() -> slots.isAnyFree() || worker.isClosed(), deadline, true)) {
                slot = slots.tryTake();
            } else { // it stepped down meanwhile, and another thread leads
                slot = slots.take(RETRY_NANOS);
            }
            if (slot == null && Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
        return slot;
    }
}
