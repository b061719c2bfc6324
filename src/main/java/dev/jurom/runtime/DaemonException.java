// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime;

import org.jspecify.annotations.Nullable;

/** Why the service does not start. */
public final class DaemonException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Makes one.
     *
     * @param message a sentence that names the object, the value and the way out
     * @param cause what is behind it, or null
     */
    @SuppressWarnings("exports") // of Nullable: callers need no org.jspecify
    public DaemonException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
