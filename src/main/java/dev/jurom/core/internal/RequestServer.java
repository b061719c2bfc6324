// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core.internal;

/**
 * Serves the requests that a native callback records. One thread calls the three steps in the order
 * of this interface, and may use the progress engine in the first and the last.
 */
public interface RequestServer {

    /**
     * Reads the outstanding request from native memory. Runs no code of the application.
     *
     * @return whether to call the other steps
     */
    boolean take();

    /**
     * Runs the code of the application, and accesses no native memory. An exception of that code
     * becomes the answer. Has no effect without a request.
     */
    void work();

    /**
     * Writes the result to native memory if it is complete and its request is still outstanding.
     * Runs no code of the application.
     *
     * @return whether a request was answered
     */
    boolean answer();

    /**
     * Returns whether no request is being served and none can follow, until this server is added
     * again.
     *
     * @return true if this server can be removed
     */
    boolean isOver();
}
