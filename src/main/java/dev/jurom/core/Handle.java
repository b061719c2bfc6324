// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An object of the native library.
 *
 * <p>A handle may depend on others, which cannot be closed before it: their {@link #close()} then
 * throws an exception and changes nothing. Closing a closed handle has no effect. All other methods
 * of a closed handle throw {@link IllegalStateException}.
 *
 * <p>A handle that is connected to a {@link ProgressEngine} may be used only by the thread that
 * owns the engine; other handles may be used by any thread, unless their class states otherwise.
 */
public abstract class Handle implements AutoCloseable {

    private static final int NAMED_DEPENDENTS = 3; // listed in messages; the rest is only counted

    private final List<Handle> dependencies = new ArrayList<>(); // guarded by this
    private final LeakDetector.Mark mark;
    private @Nullable Set<Handle> dependents; // guarded by this; created at first use
    private volatile boolean closed;

    /** Creates a handle that depends on others, which must be open. */
    Handle(Handle... dependencies) {
        try {
            for (var dependency : dependencies) {
                dependOn(dependency);
            }
            mark = LeakDetector.watch(this);
        } catch (RuntimeException | Error e) {
            clearDependencies();
            throw e;
        }
    }

    /** Keeps another handle open as long as this one. */
    final synchronized void dependOn(Handle dependency) {
        dependency.addDependent(this);
        dependencies.add(dependency);
    }

    /** Allows another handle to be closed before this one. */
    final synchronized void removeDependency(Handle dependency) {
        dependencies.remove(dependency);
        if (!dependencies.contains(dependency)) {
            dependency.removeDependent(this);
        }
    }

    private synchronized void clearDependencies() {
        dependencies.forEach(dependency -> dependency.removeDependent(this));
        dependencies.clear();
    }

    /**
     * Returns whether this handle is open.
     *
     * @return false once {@link #close()} has succeeded
     */
    public final boolean isOpen() {
        return !closed;
    }

    /**
     * Closes this handle and frees its native memory. Has no effect if it is closed.
     *
     * @throws IllegalStateException if open handles depend on it; the message names them, and
     *         nothing has changed
     * @throws WrongThreadException if another thread owns it
     * @throws DocaException if the library does not allow it; nothing has changed
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
        detach();
    }

    /** Removes this handle from its dependencies, once it is closed or if its creation failed. */
    final void detach() {
        closed = true;
        mark.clear();
        clearDependencies();
    }

    /** Destroys the native object. If this throws an exception, nothing has changed. */
    abstract void destroy();

    /** Checks that the calling thread may use this handle. Allows any thread unless overridden. */
    void requireOwner() {}

    /**
     * Checks that this handle is open and that the calling thread may use it. To be called before
     * native code is called.
     *
     * @throws IllegalStateException if it is closed
     * @throws WrongThreadException if another thread owns it
     */
    protected final void requireUsable() {
        requireOwner();
        if (closed) {
            throw new IllegalStateException(this + " is closed");
        }
    }

    /**
     * Checks that this handle is open.
     *
     * @throws IllegalStateException if it is closed
     */
    protected final void requireOpen() {
        if (closed) {
            throw new IllegalStateException(this + " is closed");
        }
    }

    /** Checks that no open handle depends on this one. */
    void requireNoDependents() {
        if (dependents != null && !dependents.isEmpty()) {
            throw new IllegalStateException(
                    this + " cannot be closed before its dependents: " + names(dependents) + " are open");
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

    /** Returns a short description for messages; also available when this handle is closed. */
    @Override
    public abstract String toString();
}
