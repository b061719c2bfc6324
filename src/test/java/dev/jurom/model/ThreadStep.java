// SPDX-License-Identifier: Apache-2.0
package dev.jurom.model;

/**
 * A step of a thread.
 *
 * @param kind the kind of step
 * @param choice selects a worker, future or thread, modulo the number of them
 */
record ThreadStep(Kind kind, int choice) {

    /** The kinds of steps. */
    enum Kind {
        CALL,
        CALL_FOR_A_MOMENT,
        SUBMIT,
        SUBMIT_FOR_A_MOMENT,
        TRY_SUBMIT,
        JOIN,
        GET,
        CANCEL,
        CHAIN,
        INTERRUPT,
        START,
        CLOSE_WORKER,
        KILL,
        HANG,
        CLOSE_OR_LOSE_SERVICE
    }
}
