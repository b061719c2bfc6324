// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core.internal;

import dev.jurom.core.Context;
import dev.jurom.core.ProgressEngine;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Members of exported classes that only this module uses. The class {@link ProgressEngine} sets the implementation
 * when it is initialized.
 */
public abstract class CoreAccess {

    private static volatile @Nullable CoreAccess instance;

    /** Creates the implementation. */
    protected CoreAccess() {}

    /**
     * Returns the members.
     *
     * @return the implementation, which exists once a progress engine does
     */
    public static CoreAccess get() {
        return Objects.requireNonNull(instance);
    }

    /**
     * Sets the implementation.
     *
     * @param access the implementation
     */
    public static void set(CoreAccess access) {
        instance = access;
    }

    /**
     * Shares an engine with other threads, which submit commands and progress it in C. The calling thread must hold
     * the returned lock whenever it uses the engine, and call its {@link #servers} itself.
     *
     * @param engine the engine
     * @return the shared engine, to be destroyed before the engine is closed
     */
    public abstract SharedEngine share(ProgressEngine engine);

    /**
     * Runs the callbacks for the collected records, without progressing.
     *
     * @param engine the engine
     */
    public abstract void deliverCollected(ProgressEngine engine);

    /**
     * Returns the servers of the requests that contexts of an engine record.
     *
     * @param engine the engine
     * @return the servers, always the same object
     */
    public abstract RequestServers servers(ProgressEngine engine);

    /**
     * Returns the native object of a context.
     *
     * @param context an open context of an engine of the calling thread
     * @return a pointer to its C object
     */
    public abstract MemorySegment object(Context context);
}
