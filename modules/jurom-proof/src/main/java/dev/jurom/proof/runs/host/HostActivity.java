// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.host;

/** A state machine that a host executes together with others in one thread. Only {@link #close} blocks. */
interface HostActivity {

    /** Advances as far as possible without blocking. */
    void step();

    boolean isDone();

    /** Returns a counter that increases with each completion and each stage. */
    long changes();

    /** Stops, even if work remains. */
    void giveUp();

    /** Stops abruptly; commands in flight count as failed. */
    void abandon();

    void close();
}
