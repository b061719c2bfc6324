// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ucx;

/** Handles active messages of one id. */
@FunctionalInterface
public interface ActiveMessageHandler {

    /**
     * Handles a message. Called with UCX on the stack: it may send and receive, but must neither
     * progress the worker nor close any of its objects.
     *
     * @param message the message, valid only until this method returns
     */
    void received(ActiveMessage message);
}
