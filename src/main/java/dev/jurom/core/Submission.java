// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import dev.jurom.core.internal.CompletionArray;
import dev.jurom.core.internal.Count;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * Tasks that are handed to the library together: one call for all, and those in a row of one
 * context leave together. Stands for {@code doca_task_submit_ex} without {@code
 * DOCA_TASK_SUBMIT_FLAG_FLUSH} for all but the last.
 *
 * <p>Make one and use it again and again: that allocates nothing. It belongs to an engine's thread,
 * as its tasks do, and needs no closing.
 */
public final class Submission {

    /** How many tasks the library takes in a few microseconds. */
    private static final int QUICK_COUNT = 32;

    private final ProgressEngine engine;
    private final Task[] tasks;
    private final MemorySegment addresses; // one for each task, and room for a status behind them
    private final long address;
    private int size;
    private boolean quick = true;

    private Submission(ProgressEngine engine, int capacity) {
        this.engine = engine;
        this.tasks = new Task[capacity];
        this.addresses = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG, capacity + 1L);
        this.address = addresses.address();
    }

    /**
     * Creates a submission without tasks.
     *
     * @param engine whose contexts' tasks they will be
     * @param capacity how many tasks at most: 1 to 65536
     * @return an empty submission
     * @throws IllegalArgumentException if the number is out of range
     */
    public static Submission create(ProgressEngine engine, int capacity) {
        Count.requireWithin("The number of tasks", capacity, 1, 1 << 16);
        return new Submission(engine, capacity);
    }

    /**
     * Adds a task behind the others.
     *
     * @param task of a context of the engine
     * @return this
     * @throws IllegalStateException if this is full, or the task is in flight or closed
     * @throws IllegalArgumentException if the task belongs to another engine
     */
    public Submission add(Task task) {
        if (isFull()) {
            throw new IllegalStateException("A submission of " + size + " tasks is full: submit it first");
        }
        if (task.engine() != engine) {
            throw new IllegalArgumentException(
                    task + " belongs to " + task.engine() + ", and this submission to " + engine);
        }
        task.requireReady();
        CompletionArray.setTask(address, size, task.address());
        quick = quick && task.isQuickToSubmit();
        tasks[size++] = task;
        return this;
    }

    /**
     * How many tasks have been added since the last submit.
     *
     * @return 0 to its capacity
     */
    public int size() {
        return size;
    }

    /**
     * Whether no more tasks can be added.
     *
     * @return true until it is submitted
     */
    public boolean isFull() {
        return size == tasks.length;
    }

    /**
     * Submits the tasks that were added, in their order, and forgets them. Never blocks.
     *
     * @throws DocaException if the library refuses one: it and those behind it are not in flight
     *         ({@link Task#isInFlight()}), those before it are
     */
    public void submit() {
        if (size == 0) {
            return;
        }
        var count = size;
        var submitted = engine.completions()
                .submit(address, count, address + (long) tasks.length * Long.BYTES, quick && count <= QUICK_COUNT);
        for (var i = 0; i < submitted; i++) {
            tasks[i].begin();
        }
        size = 0;
        quick = true;
        if (submitted < count) {
            throw refused(submitted, count);
        }
    }

    private DocaException refused(int submitted, int count) {
        var status = DocaError.of(addresses.getAtIndex(ValueLayout.JAVA_INT, 2L * tasks.length));
        var refused = tasks[submitted];
        Arrays.fill(tasks, null);
        return new DocaException(
                status,
                "doca_task_submit_ex",
                refused.toString(),
                submitted + " of " + count + " tasks were submitted before it. " + status.advice());
    }
}
