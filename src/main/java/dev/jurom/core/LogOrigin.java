// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

/** Whose messages a log backend writes: each backend writes those of one of the two. */
public enum LogOrigin {

    /** What DOCA itself logs: C calls these backends those of the SDK. */
    LIBRARY,

    /** What programs and plugins log through {@link LogSource}, or in C through {@code doca_log}. */
    APPLICATION
}
