// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import dev.jurom.core.internal.SlotTable;

/**
 * Counts the tasks of a context, which are in the table of its engine: open tasks, and tasks that
 * were given up and have not completed. For the engine's thread.
 */
final class ContextTasks {

    private final SlotTable<Task> tasks;
    private int size;
    private int givenUp;

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

    /** How many are open. */
    int open() {
        return size - givenUp;
    }

    /** How many were given up and have not completed. */
    int givenUp() {
        return givenUp;
    }

    /** One more was given up. */
    void giveUp() {
        givenUp++;
    }

    /** One that was given up has completed. */
    void endGivenUp() {
        givenUp--;
    }
}
