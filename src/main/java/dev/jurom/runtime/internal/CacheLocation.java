// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime.internal;

import java.nio.file.Files;
import java.nio.file.Path;

/** The location of files that are kept between runs. */
final class CacheLocation {

    static final String PROPERTY = "jurom.cache.path";

    private CacheLocation() {}

    /**
     * Returns the directory that {@code jurom.cache.path} specifies; by default {@code jurom} in
     * the cache directory of the user, or, for a user without a home, a directory for temporary
     * files.
     */
    static Path path() {
        var given = System.getProperty(PROPERTY);
        if (given != null) {
            return Path.of(given).toAbsolutePath();
        }
        var cache = System.getenv("XDG_CACHE_HOME");
        if (cache != null && Path.of(cache).isAbsolute()) {
            return Path.of(cache, "jurom");
        }
        var home = Path.of(System.getProperty("user.home", ""));
        if (home.isAbsolute() && Files.isWritable(home)) {
            return home.resolve(".cache").resolve("jurom");
        }
        return Path.of(System.getProperty("java.io.tmpdir"), "jurom-" + System.getProperty("user.name"))
                .toAbsolutePath();
    }
}
