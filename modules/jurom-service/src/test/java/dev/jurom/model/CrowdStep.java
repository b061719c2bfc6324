// SPDX-License-Identifier: Apache-2.0
package dev.jurom.model;

/**
 * What a thread of a crowd does next.
 *
 * @param kind what
 * @param choice with which worker, future or thread, taken modulo as many as there are
 */
record CrowdStep(Kind kind, int choice) {

    /** What can be done. */
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
