// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * A native library that was asked for, or is installed, could not be loaded.
 *
 * <p>The message names the library and its path, and carries the loader's own text.
 */
public final class LibraryLoadException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Makes an exception.
     *
     * @param message which library, what the loader said, and the way out
     * @param cause the loader's error; may be null
     */
    @SuppressWarnings("exports") // of Nullable: callers need no org.jspecify
    public LibraryLoadException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
