// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import dev.jurom.core.internal.SlotTable;
import org.jspecify.annotations.Nullable;

/**
 * A context's tasks under their tickets: those that are open, and those that were given up and have
 * not completed. For the engine's thread.
 */
final class ContextTasks {

    private final SlotTable<Task> tasks = new SlotTable<>();
    private int givenUp;

    long add(Task task) {
        return tasks.add(task);
    }

    void remove(long ticket) {
        tasks.remove(ticket);
    }

    /** The task with a ticket, or null if it was released. */
    @Nullable Task get(long ticket) {
        return tasks.get(ticket);
    }

    /** How many are open. */
    int open() {
        return tasks.size() - givenUp;
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
