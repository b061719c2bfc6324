// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom;

import java.io.Serial;

/** A service file is malformed. The message has the file, the line's number and the reason. */
public final class ServiceFileException extends IllegalArgumentException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** The line's number, from 1. */
    private final int line;

    /**
     * Makes an exception.
     *
     * @param source the file, as the user knows it
     * @param line the line's number, from 1
     * @param reason what is wrong with it
     */
    public ServiceFileException(String source, int line, String reason) {
        super(source + ", line " + line + ": " + reason);
        this.line = line;
    }

    /**
     * The line that is malformed.
     *
     * @return its number, from 1
     */
    public int line() {
        return line;
    }
}
