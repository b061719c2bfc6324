// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.plan;

/** The way in which a host ends. */
public enum Ending {
    /** After receiving all answers and stopping its contexts. */
    ORDERLY,
    /** With commands in flight: a process exits, or a thread closes its workers. */
    ABRUPT
}
