// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom;

import java.io.Serial;
import java.util.Objects;

/**
 * Thrown when a service file is malformed. The message has the file, the line number and the
 * reason.
 */
public final class ServiceFileException extends IllegalArgumentException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** The line number, from 1. */
    private final int line;

    /**
     * Creates an exception.
     *
     * @param source the name of the file
     * @param line the line number, from 1
     * @param reason the reason
     */
    public ServiceFileException(String source, int line, String reason) {
        super(Objects.requireNonNull(source) + ", line " + line + ": " + Objects.requireNonNull(reason));
        this.line = line;
    }

    /**
     * Returns the number of the malformed line.
     *
     * @return the line number, from 1
     */
    public int line() {
        return line;
    }
}
