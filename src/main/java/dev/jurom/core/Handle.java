// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An object of the native library, as long as it is open.
 *
 * <p>A handle may depend on others, which cannot be closed before it: {@link #close()} then throws
 * and changes nothing. Closing twice is fine. Every other method of a closed handle throws
 * {@link IllegalStateException}.
 *
 * <p>Handles that are connected to a {@link ProgressEngine} belong to its thread; the others may be
 * used from any.
 */
public abstract class Handle implements AutoCloseable {

    private static final int NAMED_DEPENDENTS = 3; // in messages; more are counted

    private final List<Handle> dependencies = new ArrayList<>(); // guarded by this
    private final LeakWatch.Mark mark;
    private @Nullable Set<Handle> dependents; // guarded by this; made at first use
    private volatile boolean closed;

    /** Begins the life of a handle that depends on others; they must be open. */
    Handle(Handle... dependencies) {
        try {
            for (var dependency : dependencies) {
                dependOn(dependency);
            }
        } catch (IllegalStateException e) {
            forgetDependencies();
            throw e;
        }
        mark = LeakWatch.watch(this);
    }

    /** Keeps another handle open as long as this one. */
    final synchronized void dependOn(Handle dependency) {
        dependency.addDependent(this);
        dependencies.add(dependency);
    }

    /** Lets another handle be closed before this one. */
    final synchronized void dependNoMoreOn(Handle dependency) {
        dependencies.remove(dependency);
        if (!dependencies.contains(dependency)) {
            dependency.removeDependent(this);
        }
    }

    private synchronized void forgetDependencies() {
        dependencies.forEach(dependency -> dependency.removeDependent(this));
        dependencies.clear();
    }

    /**
     * Whether this handle is open.
     *
     * @return false from the moment that {@link #close()} has succeeded
     */
    public final boolean isOpen() {
        return !closed;
    }

    /**
     * Closes this handle and frees what it has in native memory. No effect if it is closed.
     *
     * @throws IllegalStateException if others depend on it; the message names them, and nothing is
     *         changed
     * @throws WrongThreadException if it belongs to another thread
     * @throws DocaException if the library refuses; nothing is changed
     */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        requireOwner();
        synchronized (this) {
            requireNoDependents();
            destroy();
            closed = true;
        }
        abandon();
    }

    /** Takes this handle from those that it depends on: it is closed, or was never made. */
    final void abandon() {
        closed = true;
        mark.clear();
        forgetDependencies();
    }

    /** Destroys the native object; when this throws, nothing has changed. */
    abstract void destroy();

    /** Requires that the calling thread may use this handle. Any may, unless overridden. */
    void requireOwner() {}

    /**
     * Requires that this handle is open and the calling thread may use it. Call this before
     * anything that reaches native code.
     *
     * @throws IllegalStateException if it is closed
     * @throws WrongThreadException if it belongs to another thread
     */
    protected final void requireUsable() {
        requireOwner();
        if (closed) {
            throw new IllegalStateException(this + " is closed");
        }
    }

    /**
     * Requires that this handle is open.
     *
     * @throws IllegalStateException if it is closed
     */
    protected final void requireOpen() {
        if (closed) {
            throw new IllegalStateException(this + " is closed");
        }
    }

    /** Requires that nothing depends on this handle. */
    void requireNoDependents() {
        if (dependents != null && !dependents.isEmpty()) {
            throw new IllegalStateException(
                    this + " cannot be closed while others need it. Still" + " open: " + names(dependents));
        }
    }

    private static String names(Set<Handle> dependents) {
        var names = dependents.stream()
                .limit(NAMED_DEPENDENTS)
                .map(Handle::toString)
                .collect(Collectors.joining(", "));
        var more = dependents.size() - NAMED_DEPENDENTS;
        return more > 0 ? names + " and " + more + " more" : names;
    }

    private synchronized void addDependent(Handle dependent) {
        requireOpen();
        if (dependents == null) {
            dependents = new LinkedHashSet<>();
        }
        dependents.add(dependent);
    }

    private synchronized void removeDependent(Handle dependent) {
        if (dependents != null) {
            dependents.remove(dependent);
        }
    }

    /** What this handle is, for messages; also when it is closed. */
    @Override
    public abstract String toString();
}
