// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a native library cannot be loaded. The message has the name and the path of the
 * library and the error of the loader.
 */
public final class LibraryLoadException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message the library, the error of the loader, and how to correct it
     * @param cause the error of the loader, or null
     */
    @SuppressWarnings("exports") // callers do not need the annotation
    public LibraryLoadException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
