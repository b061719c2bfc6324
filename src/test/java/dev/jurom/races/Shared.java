// SPDX-License-Identifier: Apache-2.0
package dev.jurom.races;

import java.util.function.BooleanSupplier;

/**
 * Something that several actors can see. An operation on it is a step; what it holds is known by
 * the history of who wrote it last.
 */
public class Shared {

    private final long id; // the same in each order
    private long written;

    /** Known by who made it. */
    protected Shared() {
        this(Orders.nextId());
    }

    Shared(long id) {
        this.id = id;
    }

    /** The running actor looks at this: others may go on first. */
    protected final void read() {
        Orders.step(this, false);
    }

    /** The running actor changes this, or takes something from it: others may go on first. */
    protected final void write() {
        Orders.step(this, true);
    }

    /** The running actor changes this if that holds when others have gone on: whether it does. */
    protected final boolean writeIf(BooleanSupplier changes) {
        Orders.interrupt(this);
        var does = changes.getAsBoolean();
        Orders.note(this, does);
        return does;
    }

    final long id() {
        return id;
    }

    final long written() {
        return written;
    }

    final void setWritten(long history) {
        written = history;
    }
}
