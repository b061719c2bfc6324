// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core.internal;

/**
 * Serves the requests that a native callback records. One thread takes the three steps in this
 * order, and may use the progress engine in the first and the last.
 */
public interface RequestServer {

    /**
     * Reads the outstanding request from native memory. Runs no code of the program.
     *
     * @return whether the other steps are to follow
     */
    boolean take();

    /**
     * Runs the program's code, and accesses no native memory. An exception of that code becomes the
     * answer. No effect if nothing was taken.
     */
    void work();

    /**
     * Writes the result to native memory if it is complete and its request is still outstanding.
     * Runs no code of the program.
     *
     * @return whether a request was answered
     */
    boolean answer();

    /**
     * Whether no request is being served and none can follow, until this is added again.
     *
     * @return true if the list need not keep this
     */
    boolean isOver();
}
