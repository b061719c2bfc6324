// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import dev.jurom.abi.posix.pollfd;
import dev.jurom.abi.posix.posix_h;
import dev.jurom.ucx.UcxWorker;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Queue;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Runs tasks, timers and the UCX worker of one thread, and sleeps on the worker's event descriptor
 * when there is nothing to do. Belongs to the thread that runs it; {@link #execute} and
 * {@link #stop} are for any.
 */
final class EventLoop implements AutoCloseable {

    /** Something to be done later, unless it is cancelled. */
    final class Timer implements Comparable<Timer> {
        private final long deadline;
        private final long order;
        private final Runnable task;

        private Timer(long deadline, long order, Runnable task) {
            this.deadline = deadline;
            this.order = order;
            this.task = task;
        }

        void cancel() {
            timers.remove(this);
        }

        @Override
        public int compareTo(Timer other) {
            var byDeadline = Long.signum(deadline - other.deadline); // nanoTime wraps around
            return byDeadline != 0 ? byDeadline : Long.compare(order, other.order);
        }
    }

    private static final int FOREVER = -1;

    private final UcxWorker worker;
    private final ServiceLog log;
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment poll = pollfd.allocate(arena);
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final TreeSet<Timer> timers = new TreeSet<>();
    private long timerOrder;
    private boolean stopped;
    private boolean closed; // guarded by this

    EventLoop(UcxWorker worker, ServiceLog log) {
        this.worker = worker;
        this.log = log;
        pollfd.fd(poll, worker.eventDescriptor());
        pollfd.events(poll, (short) posix_h.POLLIN());
    }

    /** Runs a task on the loop's thread, soon. After the loop has been closed, does nothing. */
    synchronized void execute(Runnable task) {
        if (!closed) {
            tasks.add(task);
            worker.signal();
        }
    }

    /** Runs a task after a while. Only on the loop's thread. */
    Timer after(Duration delay, Runnable task) {
        var timer = new Timer(System.nanoTime() + delay.toNanos(), timerOrder++, task);
        timers.add(timer);
        return timer;
    }

    /** Makes {@link #run} return. Only on the loop's thread. */
    void stop() {
        stopped = true;
    }

    /** Runs until it is stopped. */
    void run() {
        while (!stopped) {
            if (!step()) {
                sleep();
            }
        }
    }

    /** Does what is to be done now; false if that was nothing. */
    private boolean step() {
        var worked = progress();
        for (var task = tasks.poll(); task != null; task = tasks.poll()) {
            worked = true;
            run(task);
        }
        while (!timers.isEmpty() && timers.first().deadline - System.nanoTime() <= 0) {
            worked = true;
            run(timers.pollFirst().task);
        }
        return worked;
    }

    private boolean progress() {
        try {
            return worker.progress();
        } catch (RuntimeException | Error e) { // what one host causes must not end the service
            log.error("A callback failed", e);
            return true;
        }
    }

    private void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            log.error("A task failed", e);
        }
    }

    private void sleep() {
        if (!stopped && worker.arm()) {
            posix_h.poll(poll, 1, millisecondsLeft()); // an error, a signal say: just look again
        }
    }

    private int millisecondsLeft() {
        if (timers.isEmpty()) {
            return FOREVER;
        }
        var left = timers.first().deadline - System.nanoTime();
        return Math.clamp(left / 1_000_000 + 1, 0, Integer.MAX_VALUE);
    }

    /** After the loop has ended: no more signals reach the worker, which can then be closed. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            arena.close();
        }
    }
}
