// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import dev.jurom.runtime.DocaRuntime;
import dev.jurom.runtime.LibraryLoadException;
import dev.jurom.runtime.internal.LibraryLoader;

/** Loads the library of SHA at its first use, because that of the software DOCA needs OpenSSL. */
final class ShaLibrary {

    private ShaLibrary() {}

    /**
     * Loads the library unless it is loaded.
     *
     * @throws LibraryLoadException if it is missing or cannot be loaded; a later call tries again
     */
    static synchronized void load() {
        var directory = DocaRuntime.current().directory();
        if (!LibraryLoader.hasFunction("doca_sha_create")) {
            LibraryLoader.load(directory, "doca_sha");
        }
    }
}
