// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.plan;

/** The kind of process that receives a signal. */
public enum SignalTarget {
    /** A C host, by its number. */
    HOST,
    /** A worker process, by its index among the running ones. */
    WORKER,
    /** The service. */
    DAEMON
}
