// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.plan;

/** The implementation of a host. */
public enum HostKind {
    /** A separate process in C. */
    C,
    /** A thread of a JVM that uses the explicit API. */
    EXPLICIT,
    /** A thread of a JVM that uses the facade. */
    FACADE
}
