// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ucx;

import dev.jurom.runtime.DocaRuntime;
import dev.jurom.runtime.LibraryLoadException;
import dev.jurom.runtime.internal.Environment;
import dev.jurom.runtime.internal.LibraryLoader;
import dev.jurom.runtime.internal.SoftwareInstallation;

/** Loads UCX at its first use. */
final class UcxLibrary {

    private static final String NAME = "jurom_ucx"; // linked with UCX, and protects its sockets

    private static boolean loaded;

    private UcxLibrary() {}

    /**
     * Loads UCX, unless the libraries of the vendor have already loaded it.
     *
     * @throws LibraryLoadException if it is not installed or cannot be loaded; a later call tries
     *         again
     */
    static synchronized void load() {
        if (loaded) {
            return;
        }
        DocaRuntime.current();
        if (!LibraryLoader.hasFunction("ucp_worker_progress")) {
            var directory = SoftwareInstallation.current().libraries();
            RootDirectory.run(() -> Environment.loadUcxWithoutMemoryEvents(() -> LibraryLoader.load(directory, NAME)));
        }
        loaded = true;
    }

    /**
     * Requires that the process can create a thread, because UCX ends the process if it cannot.
     *
     * @throws UcxException if it cannot; other threads may still be created in between
     */
    static void requireThread() {
        var thread = Thread.ofPlatform().inheritInheritableThreadLocals(false).unstarted(() -> {});
        try {
            thread.start();
        } catch (OutOfMemoryError e) {
            throw new UcxException("UCX requires another thread, which this process cannot create: raise ulimit -u, or"
                    + " pids.max of the cgroup");
        }
    }
}
