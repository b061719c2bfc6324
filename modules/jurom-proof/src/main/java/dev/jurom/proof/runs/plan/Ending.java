// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.plan;

/** The way in which a host ends. */
public enum Ending {
    /** The host receives all answers and stops its contexts before it ends. */
    ORDERLY,
    /** The host ends with commands in flight: a process exits, or a thread closes its workers. */
    ABRUPT
}
