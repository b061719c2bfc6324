// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ucx;

/** Takes active messages of one id. */
@FunctionalInterface
public interface ActiveMessageHandler {

    /**
     * Takes a message. Runs with UCX on the stack: it may send and receive, but must neither
     * progress the worker nor close anything of it.
     *
     * @param message valid only until this method returns
     */
    void received(ActiveMessage message);
}
