// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.plan;

/** The kind of program that implements a host. */
public enum HostKind {
    /** A separate process in C. */
    C,
    /** A separate process in C that connects by TLS, like a host on another machine. */
    REMOTE,
    /** A thread of a JVM that uses the facade. */
    FACADE;

    /** Returns whether the host is a separate process. */
    public boolean isProcess() {
        return this != FACADE;
    }
}
