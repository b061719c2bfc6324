// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime.internal;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The builds of the software DOCA in a cache, a folder each; one that no process has used for 30
 * days is removed. A process that uses a build holds a lock in its folder as long as it lives. The
 * lock of the whole cache keeps others from removing what is about to be used.
 *
 * <p>Failures are harmless, and only logged: a folder stays, or will be unpacked again.
 */
final class CachedBuilds implements AutoCloseable {

    static final Duration KEPT = Duration.ofDays(30);
    static final String USERS = "users"; // the file in a folder that its users lock

    private static final System.Logger LOGGER = System.getLogger("dev.jurom.runtime");
    private static final String NAME = "[0-9a-f]{32}"; // of a folder; others are not ours
    private static final Duration PATIENCE = Duration.ofSeconds(3); // more than unpacking takes
    private static final long PAUSE_NANOS = 1_000_000;

    private static @Nullable FileChannel used; // open, and so locked, for the life of this process

    private final Path cache;
    private @Nullable FileChannel lock; // null: it could not be taken

    private CachedBuilds(Path cache) {
        this.cache = cache;
    }

    /** Keeps other processes from using and removing builds until this is closed. */
    static CachedBuilds lock(Path cache) {
        var builds = new CachedBuilds(cache);
        attempt("lock", cache, () -> builds.lock = open(cache.resolve("lock"), false));
        return builds;
    }

    /** Says that this process uses a build from now on, and removes those of long ago. */
    void use(Path build) {
        attempt("mark", build, () -> {
            Files.setLastModifiedTime(build, FileTime.from(Instant.now()));
            used = open(build.resolve(USERS), true);
        });
        if (lock != null) {
            attempt("search", cache, this::removeOld);
        }
    }

    private void removeOld() throws IOException {
        try (var old = Files.newDirectoryStream(cache, CachedBuilds::isOld)) {
            old.forEach(folder -> attempt("remove", folder, () -> remove(folder)));
        }
    }

    private static FileChannel open(Path file, boolean shared) throws IOException {
        var channel = FileChannel.open(file, CREATE, READ, WRITE, NOFOLLOW_LINKS);
        var deadline = System.nanoTime() + PATIENCE.toNanos();
        while (channel.tryLock(0, Long.MAX_VALUE, shared) == null) {
            if (System.nanoTime() - deadline > 0) { // its owner may be stopped
                channel.close();
                throw new IOException(file + " is locked by another process");
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return channel;
    }

    private static boolean isOld(Path folder) throws IOException {
        return folder.getFileName().toString().matches(NAME)
                && Files.isDirectory(folder, NOFOLLOW_LINKS)
                && Files.getLastModifiedTime(folder, NOFOLLOW_LINKS).toInstant()
                        .isBefore(Instant.now().minus(KEPT));
    }

    private static void remove(Path folder) throws IOException {
        try (var users = FileChannel.open(folder.resolve(USERS), CREATE, WRITE, NOFOLLOW_LINKS);
                var content = Files.walk(folder)) { // links are not followed
            if (users.tryLock() != null) {
                for (var path : content.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
    }

    /** Something that may fail. */
    private interface Action {

        void run() throws IOException;
    }

    private static void attempt(String what, Path path, Action action) {
        try {
            action.run();
        } catch (IOException | RuntimeException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "Could not " + what + " " + path, e);
        }
    }

    @Override
    public void close() {
        if (lock != null) {
            attempt("unlock", cache, lock::close);
        }
    }
}
