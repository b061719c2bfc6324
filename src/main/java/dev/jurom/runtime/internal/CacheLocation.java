// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime.internal;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The location of files that are kept between runs. */
final class CacheLocation {

    static final String PROPERTY = "jurom.cache.path";

    private static final System.Logger LOGGER = System.getLogger("dev.jurom.runtime");

    private CacheLocation() {}

    /**
     * Opens the directory that {@code jurom.cache.path} specifies. By default, it is {@code jurom} in
     * the cache directory of the user or, for a user without one that only this user can change, a
     * directory for temporary files.
     *
     * @throws IOException if there is none, or other users can change the specified one
     */
    static PrivateDirectory open() throws IOException {
        var given = System.getProperty(PROPERTY);
        if (given != null) {
            return PrivateDirectory.open(Path.of(given).toAbsolutePath());
        }
        for (var candidate : ofUser()) {
            try {
                return PrivateDirectory.open(candidate);
            } catch (IOException e) {
                LOGGER.log(System.Logger.Level.DEBUG, "Native files are not unpacked to " + candidate, e);
            }
        }
        return PrivateDirectory.openIn(
                Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath(),
                "jurom-cache-" + Integer.toUnsignedString(PrivateDirectory.ownUserId()));
    }

    private static List<Path> ofUser() {
        return Stream.of(
                        Optional.ofNullable(System.getenv("XDG_CACHE_HOME")).map(Path::of),
                        Optional.of(Path.of(System.getProperty("user.home", "")).resolve(".cache")))
                .flatMap(Optional::stream)
                .filter(Path::isAbsolute)
                .map(cache -> cache.resolve("jurom"))
                .toList();
    }
}
