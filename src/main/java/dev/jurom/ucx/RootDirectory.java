// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ucx;

import dev.jurom.abi.posix.posix_h;
import dev.jurom.runtime.LibraryLoadException;
import dev.jurom.runtime.internal.ThreadEnd;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Loads UCX in a thread whose working directory is the root directory.
 *
 * <p>While it is loaded, UCX reads {@code ucx.conf} from the working directory, which no setting
 * prevents. The file can name code to load ({@code UCX_MODULE_DIR}), and another user may own the
 * directory. UCX also reads the file in {@code $HOME}, but that one belongs to the user, as the
 * environment does.
 */
final class RootDirectory {

    private RootDirectory() {}

    /**
     * Runs an action in such a thread, and waits until it ends.
     *
     * @throws LibraryLoadException if the thread cannot have its own working directory (some
     *         containers do not allow that), and the current one contains a {@code ucx.conf}
     */
    static void run(Runnable action) {
        var result = new CompletableFuture<Void>();
        ThreadEnd.await(Thread.ofPlatform()
                .inheritInheritableThreadLocals(false)
                .daemon()
                .name("jurom-ucx-loading")
                .start(() -> {
                    try {
                        if (!enterRoot()) {
                            requireNoSettings(Path.of("/proc/self/cwd"));
                        }
                        action.run();
                        result.complete(null);
                    } catch (RuntimeException | Error e) {
                        result.completeExceptionally(e);
                    }
                }));
        rethrow(result);
    }

    private static void rethrow(CompletableFuture<Void> result) {
        try {
            result.join();
        } catch (CompletionException e) {
            switch (e.getCause()) {
                case RuntimeException exception -> throw exception;
                case Error error -> throw error;
                case null, default -> throw new AssertionError("actions throw only unchecked exceptions", e);
            }
        }
    }

    /**
     * Sets the working directory of this thread alone to the root directory; returns false if that
     * is not possible.
     */
    private static boolean enterRoot() {
        try (var arena = Arena.ofConfined()) {
            return posix_h.unshare(posix_h.CLONE_FS()) == 0 && posix_h.chdir(arena.allocateFrom("/")) == 0;
        }
    }

    /** Rejects a directory in which UCX would find settings. */
    static void requireNoSettings(Path directory) {
        var settings = directory.resolve("ucx.conf");
        if (Files.exists(settings, LinkOption.NOFOLLOW_LINKS)) {
            throw new LibraryLoadException(
                    "UCX is not loaded because it would read " + real(directory)
                            + "/ucx.conf, which can name code to load: start the program in another"
                            + " directory, or move the file to the directory that UCX_CONFIG_DIR names",
                    null);
        }
    }

    private static Path real(Path directory) {
        try {
            return directory.toRealPath();
        } catch (IOException e) {
            return directory; // sufficient for a message
        }
    }
}
