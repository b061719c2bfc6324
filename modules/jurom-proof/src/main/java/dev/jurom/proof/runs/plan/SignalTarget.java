// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.plan;

/** The kind of process that receives a signal. */
public enum SignalTarget {
    /** A C host, identified by its number. */
    HOST,
    /** A worker process, identified by its index among the running workers. */
    WORKER,
    /** The service. */
    DAEMON
}
