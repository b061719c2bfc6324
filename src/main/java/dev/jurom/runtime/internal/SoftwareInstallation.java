// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime.internal;

import dev.jurom.runtime.LibraryLoadException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * An installation of the software DOCA: libraries, worker program and plugins.
 *
 * @param prefix the directory that contains {@code lib} and {@code bin}
 */
public record SoftwareInstallation(Path prefix) {

    private static final String PROPERTY = "jurom.software.path";

    private static @Nullable SoftwareInstallation current;

    /**
     * Returns the installation that this process uses: that of the system property
     * {@code jurom.software.path}, or the one from the jar, which the first call unpacks.
     *
     * @return the same object at each call
     * @throws LibraryLoadException if there is no installation
     */
    public static synchronized SoftwareInstallation current() {
        if (current == null) {
            var given = System.getProperty(PROPERTY);
            current = given == null ? new SoftwareInstallation(BundledFiles.unpack()) : at(given);
        }
        return current;
    }

    private static SoftwareInstallation at(String given) {
        var prefix = Path.of(given).toAbsolutePath();
        if (!Files.isDirectory(prefix.resolve("lib"))) {
            throw new LibraryLoadException(
                    "The system property " + PROPERTY + " is \"" + given
                            + "\", which has no directory \"lib\": it must be the prefix of an installed"
                            + " software DOCA",
                    null);
        }
        return new SoftwareInstallation(prefix);
    }

    /**
     * Returns the directory of the libraries.
     *
     * @return an absolute path
     */
    public Path libraries() {
        return prefix.resolve("lib");
    }

    /**
     * Returns the directory of the plugins of jurom.
     *
     * @return an absolute path
     */
    public Path plugins() {
        return libraries().resolve("urom_plugins");
    }

    /**
     * Returns the library that runs plugins in Java; each plugin needs a copy.
     *
     * @return an absolute path
     */
    public Path javaPlugin() {
        return libraries().resolve("worker_java.so");
    }

    /**
     * Returns the program of worker processes.
     *
     * @return an absolute path
     */
    public Path workerProgram() {
        return prefix.resolve("bin").resolve("urom_worker");
    }
}
