// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime.internal;

import dev.jurom.runtime.LibraryLoadException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An installation of the software DOCA: libraries, worker program and plugins.
 *
 * @param prefix the directory that contains {@code lib} and {@code bin}
 */
public record SoftwareInstallation(Path prefix) {

    private static final String PROPERTY = "jurom.software.path";

    private static @Nullable SoftwareInstallation current;
    private static boolean unpacked;

    /**
     * Returns the installation that this process uses: that of the system property
     * {@code jurom.software.path}, or the one from the jar, which the first call unpacks. Later calls unpack files
     * again that have been removed.
     *
     * @return the same object at each call, unless the directory of the files can no longer be used
     * @throws LibraryLoadException if there is no installation
     */
    public static synchronized SoftwareInstallation current() {
        if (current == null) {
            var given = System.getProperty(PROPERTY);
            unpacked = given == null;
            current = unpacked ? new SoftwareInstallation(BundledFiles.unpack()) : at(given);
        }
        restore();
        return Objects.requireNonNull(current);
    }

    /**
     * Unpacks files of the installation again that have been removed. No effect if this process has not unpacked any.
     *
     * @throws LibraryLoadException if they cannot be unpacked
     */
    public static synchronized void restore() {
        if (current != null && unpacked && !BundledFiles.areComplete(current.prefix)) {
            var prefix = BundledFiles.unpack();
            current = prefix.equals(current.prefix) ? current : new SoftwareInstallation(prefix);
        }
    }

    private static SoftwareInstallation at(String given) {
        var prefix = PathText.of("The system property " + PROPERTY, given).toAbsolutePath();
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
