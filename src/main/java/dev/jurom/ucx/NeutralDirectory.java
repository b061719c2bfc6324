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
 * Where UCX is loaded: in a thread whose working directory is the root.
 *
 * <p>While it is loaded, UCX reads {@code ucx.conf} from the working directory, and no setting
 * keeps it from that. The file can name code to load ({@code UCX_MODULE_DIR}), and the directory may
 * be anybody's. That of {@code $HOME} is read too, but is the user's own, as the environment is.
 */
final class NeutralDirectory {

    private NeutralDirectory() {}

    /**
     * Runs an action there, and waits for its end.
     *
     * @throws LibraryLoadException if the thread cannot have a directory of its own (some
     *         containers forbid that), and there is a {@code ucx.conf} in this one
     */
    static void run(Runnable action) {
        var result = new CompletableFuture<Void>();
        ThreadEnd.await(Thread.ofPlatform().daemon().name("jurom-ucx-loading").start(() -> {
            try {
                if (!leave()) {
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
                case null, default -> throw new AssertionError("actions throw unchecked only", e);
            }
        }
    }

    /** Gives this thread a working directory of its own, the root; false if it may not have one. */
    private static boolean leave() {
        try (var arena = Arena.ofConfined()) {
            return posix_h.unshare(posix_h.CLONE_FS()) == 0 && posix_h.chdir(arena.allocateFrom("/")) == 0;
        }
    }

    /** Refuses a directory in which UCX would find settings. */
    static void requireNoSettings(Path directory) {
        var settings = directory.resolve("ucx.conf");
        if (Files.exists(settings, LinkOption.NOFOLLOW_LINKS)) {
            throw new LibraryLoadException(
                    "UCX is not loaded, for it would read " + real(directory)
                            + "/ucx.conf, which can name code to load: start the program in another"
                            + " directory, or move the file to the directory that UCX_CONFIG_DIR names",
                    null);
        }
    }

    private static Path real(Path directory) {
        try {
            return directory.toRealPath();
        } catch (IOException e) {
            return directory; // it will do for a message
        }
    }
}
