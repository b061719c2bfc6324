// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.plan;

/** Who is hit by a signal. */
public enum Victim {
    /** A C host, by its number. */
    HOST,
    /** A worker process, by its place among those that there are. */
    WORKER,
    /** The service. */
    DAEMON
}
