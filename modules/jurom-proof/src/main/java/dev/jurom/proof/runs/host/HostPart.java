// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.host;

/** What a host does beside others in one thread. Nothing here waits, but for {@link #close}. */
interface HostPart {

    /** Goes on as far as it can just now. */
    void step();

    boolean isDone();

    /** Grows with each completion and each stage. */
    long news();

    /** It is to end, whatever is left to do. */
    void giveUp();

    /** What is in flight fails, and nothing is heard of it. */
    void abandon();

    void close();
}
