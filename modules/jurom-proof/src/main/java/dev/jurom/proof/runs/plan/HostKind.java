// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.plan;

/** The implementation of a host. */
public enum HostKind {
    /** A separate process in C. */
    C,
    /** The same process, connected by TLS like a host on another machine. */
    REMOTE,
    /** A thread of a JVM that uses the facade. */
    FACADE;

    /** Returns whether the host is a process of its own. */
    public boolean isProcess() {
        return this != FACADE;
    }
}
