// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The open objects that need workers of one service, in the order of opening. Thread-safe. */
public final class Dependents {

    private final List<Dependent> all = new ArrayList<>(); // guarded by itself

    /**
     * An object that needs workers, and is closed before them.
     *
     * @param object the object, which messages name
     * @param needs whether it needs a worker
     * @param isEnding whether it ends by itself because its start failed
     * @param close closes it until a deadline; not interruptible
     */
    public record Dependent(
            Object object, Predicate<Object> needs, BooleanSupplier isEnding, Consumer<Deadline> close) {}

    /** Creates an empty list. */
    public Dependents() {}

    /**
     * Adds an object.
     *
     * @param dependent the object
     * @param requireOpen throws if one of its workers is closed
     */
    public void add(Dependent dependent, Runnable requireOpen) {
        synchronized (all) {
            requireOpen.run();
            all.add(dependent);
        }
    }

    /**
     * Removes an object that is closed, or was never started.
     *
     * @param dependent the object
     */
    public void remove(Dependent dependent) {
        synchronized (all) {
            all.remove(dependent);
        }
    }

    /**
     * Returns whether an object needs a worker, or is about to end.
     *
     * @param worker the worker
     * @return false if the worker can be destroyed
     */
    public boolean has(Object worker) {
        synchronized (all) {
            return all.stream().anyMatch(dependent -> dependent.needs().test(worker));
        }
    }

    /**
     * Begins to close a worker, unless open objects need it.
     *
     * @param worker the worker
     * @param closing prevents further objects from using the worker
     * @throws IllegalStateException if objects need it; the message names them
     */
    public void requireNone(Object worker, Runnable closing) {
        synchronized (all) {
            var names = all.stream()
                    .filter(dependent -> dependent.needs().test(worker)
                            && !dependent.isEnding().getAsBoolean())
                    .map(dependent -> dependent.object().toString())
                    .collect(Collectors.joining(", "));
            if (!names.isEmpty()) {
                throw new IllegalStateException(
                        worker + " cannot be closed while others need it:" + " close these first: " + names);
            }
            closing.run();
        }
    }

    /**
     * Returns the actions that close all objects.
     *
     * @param deadline the deadline of each action
     * @return an action for each object, in the order of opening
     */
    public List<Runnable> closingBy(Deadline deadline) {
        synchronized (all) {
            return all.stream()
                    .<Runnable>map(one -> () -> one.close().accept(deadline))
                    .toList();
        }
    }
}
