// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime.internal;

import java.nio.file.Files;
import java.nio.file.Path;

/** Where files of this user's are kept between runs. */
final class CacheLocation {

    static final String PROPERTY = "jurom.cache.path";

    private CacheLocation() {}

    /**
     * The directory that {@code jurom.cache.path} names; else {@code jurom} in the user's cache
     * directory; else, for a user without a home, one in the directory for temporary files.
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
