// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

/** Why the service does not start. */
public final class DaemonException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Makes one.
     *
     * @param message a sentence that names the object, the value and the way out
     * @param cause what is behind it, or null
     */
    public DaemonException(String message, Throwable cause) {
        super(message, cause);
    }
}
