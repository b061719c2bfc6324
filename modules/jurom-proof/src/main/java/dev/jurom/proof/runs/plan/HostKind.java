// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.plan;

/** What kind of program a host is. */
public enum HostKind {
    /** A process of its own, in C. */
    C,
    /** A thread of a JVM, with contexts and an engine of its own. */
    EXPLICIT,
    /** A thread of a JVM, with a {@code Urom} of its own. */
    FACADE
}
