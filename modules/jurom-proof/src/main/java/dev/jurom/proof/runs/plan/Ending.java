// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.plan;

/** How a host leaves. */
public enum Ending {
    /** When it has all answers, after it has stopped its contexts. */
    ORDERLY,
    /** In the middle of its work: a process exits, a thread closes what has commands in flight. */
    ABRUPT
}
