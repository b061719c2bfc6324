// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

/** The origin of log messages. A backend writes messages of one origin. */
public enum LogOrigin {

    /** Messages of DOCA itself. C calls backends for them SDK backends. */
    LIBRARY,

    /**
     * Messages of programs and plugins, logged through {@link LogSource}, or in C through
     * {@code doca_log}.
     */
    APPLICATION
}
