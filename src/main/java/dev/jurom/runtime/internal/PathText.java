// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime.internal;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/** Paths that properties and variables name. The JDK represents no path with characters that its locale lacks. */
public final class PathText {

    private PathText() {}

    /**
     * Returns the path that a setting names.
     *
     * @param setting the name of the setting, for the exception
     * @param text its value
     * @return the path
     * @throws IllegalArgumentException if the JDK cannot represent the path; the message names setting, path and remedy
     */
    public static Path of(String setting, String text) {
        return optional(text)
                .orElseThrow(() -> new IllegalArgumentException(setting + " is \"" + text
                        + "\", which the JDK cannot represent in the encoding "
                        + System.getProperty("sun.jnu.encoding")
                        + ": start the program with a UTF-8 locale, such as LC_ALL=C.UTF-8"));
    }

    /**
     * Returns a path that has alternatives.
     *
     * @param text the path
     * @return empty if the JDK cannot represent it
     */
    public static Optional<Path> optional(String text) {
        try {
            return Optional.of(Path.of(text));
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }
}
