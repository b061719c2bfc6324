// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import dev.jurom.core.internal.SlotTable;

/**
 * Counts the tasks of a context, which are stored in the table of its engine: open tasks, and
 * abandoned tasks that have not completed. Not thread-safe: used by the thread of the engine.
 */
final class ContextTasks {

    private final SlotTable<Task> tasks;
    private int size;
    private int abandoned;

    ContextTasks(SlotTable<Task> tasks) {
        this.tasks = tasks;
    }

    long add(Task task) {
        size++;
        return tasks.add(task);
    }

    void remove(long ticket) {
        size--;
        tasks.remove(ticket);
    }

    /** Returns the number of open tasks. */
    int open() {
        return size - abandoned;
    }

    /** Returns the number of abandoned tasks that have not completed. */
    int abandoned() {
        return abandoned;
    }

    /** Counts a task that was closed in flight. */
    void abandon() {
        abandoned++;
    }

    /** Counts the completion of an abandoned task. */
    void endAbandoned() {
        abandoned--;
    }
}
