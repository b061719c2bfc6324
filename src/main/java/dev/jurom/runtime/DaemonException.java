// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime;

import org.jspecify.annotations.Nullable;

/** Thrown when the service cannot start. */
public final class DaemonException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** True if the configuration is wrong. */
    private final boolean isConfiguration;

    /**
     * Creates an exception.
     *
     * @param message a sentence that names the object, the value and the remedy
     * @param cause the cause, or null
     */
    @SuppressWarnings("exports") // Nullable: callers do not need org.jspecify
    public DaemonException(String message, @Nullable Throwable cause) {
        this(message, cause, false);
    }

    private DaemonException(String message, @Nullable Throwable cause, boolean isConfiguration) {
        super(message, cause);
        this.isConfiguration = isConfiguration;
    }

    /**
     * Creates an exception for a wrong configuration.
     *
     * @param message a sentence that names the object, the value and the remedy
     * @param cause the cause, or null
     * @return the exception
     */
    @SuppressWarnings("exports") // Nullable: callers do not need org.jspecify
    public static DaemonException ofConfiguration(String message, @Nullable Throwable cause) {
        return new DaemonException(message, cause, true);
    }

    /**
     * Returns whether the configuration is wrong, or a file that it names: the service cannot start
     * until an administrator changes one of them.
     *
     * @return false for other reasons, such as an address that is in use
     */
    public boolean isConfiguration() {
        return isConfiguration;
    }
}
