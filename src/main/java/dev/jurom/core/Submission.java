// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import dev.jurom.core.internal.CompletionArray;
import dev.jurom.core.internal.Count;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Objects;

/**
 * A batch of tasks that are submitted with one call. Consecutive tasks of one context are sent
 * together. Stands for {@code doca_task_submit_ex} without {@code DOCA_TASK_SUBMIT_FLAG_FLUSH} for
 * all but the last.
 *
 * <p>A submission is reusable: adding and submitting tasks allocates nothing. It may be used only
 * by the thread that owns the engine, and need not be closed.
 */
public final class Submission {

    /** Number of tasks that the library accepts within a few microseconds. */
    private static final int QUICK_COUNT = 32;

    private final ProgressEngine engine;
    private final Task[] tasks;
    private final MemorySegment addresses; // one for each task, then room for a status
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
     * Creates an empty submission.
     *
     * @param engine the engine of the tasks' contexts
     * @param capacity the maximum number of tasks, 1 to 65536
     * @return an empty submission
     * @throws IllegalArgumentException if {@code capacity} is out of range
     */
    public static Submission create(ProgressEngine engine, int capacity) {
        Objects.requireNonNull(engine);
        Count.requireWithin("The number of tasks", capacity, 1, 1 << 16);
        return new Submission(engine, capacity);
    }

    /**
     * Adds a task after the others.
     *
     * @param task a task of a context of the engine
     * @return this
     * @throws IllegalStateException if this submission is full, or the task is in flight or closed
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
     * Returns the number of tasks that were added since the last submit.
     *
     * @return 0 to the capacity
     */
    public int size() {
        return size;
    }

    /**
     * Returns whether the capacity is reached.
     *
     * @return true if no task can be added before the next submit
     */
    public boolean isFull() {
        return size == tasks.length;
    }

    /**
     * Submits the tasks in the order in which they were added, and removes them from this
     * submission. Does not block.
     *
     * @throws DocaException if the library rejects a task: that task and those after it are not in
     *         flight ({@link Task#isInFlight()}), those before it are
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
            throw rejected(submitted, count);
        }
    }

    private DocaException rejected(int submitted, int count) {
        var status = DocaError.of(addresses.getAtIndex(ValueLayout.JAVA_INT, 2L * tasks.length));
        var rejected = tasks[submitted];
        Arrays.fill(tasks, null);
        return new DocaException(
                status,
                "doca_task_submit_ex",
                rejected.toString(),
                submitted + " of " + count + " tasks were submitted before it. " + status.advice());
    }
}
