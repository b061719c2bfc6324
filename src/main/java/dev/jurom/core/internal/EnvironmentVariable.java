// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core.internal;

/** Checks environment variables of workers. */
public final class EnvironmentVariable {

    private EnvironmentVariable() {}

    /**
     * Checks an environment variable for a worker.
     *
     * @param name the name
     * @param value the value
     * @throws IllegalArgumentException if the name is empty or contains "=", or the name or value
     *         contains NUL
     */
    public static void require(String name, String value) {
        if (name.isEmpty() || name.contains("=") || name.concat(value).indexOf('\0') >= 0) {
            throw new IllegalArgumentException("The environment variable \"" + name + "\"=\"" + value
                    + "\" is invalid: its name must not be empty or contain \"=\", and neither part may contain NUL");
        }
    }
}
