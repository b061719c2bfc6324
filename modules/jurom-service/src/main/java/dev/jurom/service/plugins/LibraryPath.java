// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.plugins;

import dev.jurom.runtime.internal.TrustedPath;
import dev.jurom.service.logs.ServiceLog;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * The {@code LD_LIBRARY_PATH} of workers and of the processes that probe plugins, where plugins find libraries.
 * It has the folders of this process's own variable that no other user can change. This class is thread-safe.
 */
public final class LibraryPath {

    /** The name of the variable. */
    public static final String VARIABLE = "LD_LIBRARY_PATH";

    private static final String SEPARATORS = "[:;]"; // as in ld.so
    private static final String SPECIAL = ":;$"; // have a meaning for ld.so

    private final List<String> elements;
    private final TrustedPath trusted;
    private final ServiceLog log;
    private volatile String usable = "";

    /**
     * Creates an empty path; {@link #check} fills it.
     *
     * @param value the variable of this process; null if it is not set
     * @param trusted determines which folders are accepted
     * @param log receives the reasons why folders are not accepted
     */
    public LibraryPath(@Nullable String value, TrustedPath trusted, ServiceLog log) {
        this.elements = value == null || value.isEmpty() ? List.of() : List.of(value.split(SEPARATORS, -1));
        this.trusted = trusted;
        this.log = log;
    }

    /** Checks all folders again, and logs a line for each one that it drops. */
    public void check() {
        var folders = new StringJoiner(":");
        for (var element : elements) {
            if (element.isEmpty()) { // frequent but useless: the current directory of workers is the root directory
                log.info("An empty element of LD_LIBRARY_PATH is dropped, because it denotes the current"
                        + " directory; remove the separator beside it");
                continue;
            }
            try {
                folders.add(folder(element));
            } catch (IOException | InvalidPathException e) {
                log.warning("The element \"" + element + "\" of LD_LIBRARY_PATH is dropped: "
                        + e.getMessage() + "; plugins do not find its libraries until that is"
                        + " corrected and the service searches for plugins again");
            }
        }
        usable = folders.toString();
    }

    private String folder(String element) throws IOException {
        var path = Path.of(element);
        if (!path.isAbsolute()) {
            throw new IOException("it is a relative path; use an absolute one");
        }
        var real = trusted.requireFolder(path).toString();
        if (real.chars().anyMatch(letter -> SPECIAL.indexOf(letter) >= 0)) {
            throw new IOException(real + " has one of the characters " + SPECIAL + " in its name; use another folder");
        }
        return real;
    }

    /**
     * Sets the variable, unless the path is empty.
     *
     * @param environment the environment of a process
     */
    public void addTo(Map<String, String> environment) {
        var value = usable;
        if (!value.isEmpty()) {
            environment.put(VARIABLE, value);
        }
    }
}
