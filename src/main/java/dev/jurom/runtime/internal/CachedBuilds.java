// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime.internal;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The builds of the software DOCA in a cache, each in its own directory. A build that no process
 * has used for 30 days is removed. A process that uses a build holds a lock in its directory until
 * it exits. The lock of the whole cache prevents the removal of a build that is about to be used.
 *
 * <p>Failures are harmless and only logged: a directory is kept, or unpacked again.
 */
final class CachedBuilds implements AutoCloseable {

    static final Duration MAX_AGE = Duration.ofDays(30);
    static final String USERS = "users"; // the file in a directory that its users lock

    private static final System.Logger LOGGER = System.getLogger("dev.jurom.runtime");
    private static final String NAME = "[0-9a-f]{32}"; // of the directory of a build; others are left alone
    private static final Duration LOCK_TIMEOUT = Duration.ofSeconds(3); // longer than unpacking takes
    private static final Path OWN_DESCRIPTORS = Path.of("/proc/self/fd");

    private final Path cache;
    private @Nullable LockedFile lock; // null if it could not be acquired

    private CachedBuilds(Path cache) {
        this.cache = cache;
    }

    /** Prevents other processes from using and removing builds until this is closed. */
    static CachedBuilds lock(Path cache) {
        var builds = new CachedBuilds(cache);
        attempt("lock", cache, () -> builds.lock = LockedFile.lock(cache.resolve("lock"), false, LOCK_TIMEOUT));
        return builds;
    }

    /** Marks a build as used by this process, and removes old ones. */
    void use(Path build) {
        attempt("mark", build, () -> {
            Files.setLastModifiedTime(build, FileTime.from(Instant.now()));
            hold(build.toRealPath().resolve(USERS));
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

    /**
     * Locks a file and its directory until the process exits, unless another class loader of this process has
     * locked them. Programs that clean temporary files skip a locked directory.
     */
    private static void hold(Path file) throws IOException {
        try (var descriptors = Files.newDirectoryStream(
                OWN_DESCRIPTORS,
                link -> Files.isSymbolicLink(link)
                        && Files.readSymbolicLink(link).equals(file))) {
            if (!descriptors.iterator().hasNext()) {
                LockedFile.lock(file, true, LOCK_TIMEOUT);
                LockedFile.lockDirectory(file.resolveSibling(""), true, LOCK_TIMEOUT);
            }
        }
    }

    private static boolean isOld(Path folder) throws IOException {
        return folder.getFileName().toString().matches(NAME)
                && Files.isDirectory(folder, NOFOLLOW_LINKS)
                && Files.getLastModifiedTime(folder, NOFOLLOW_LINKS)
                        .toInstant()
                        .isBefore(Instant.now().minus(MAX_AGE));
    }

    private static void remove(Path folder) throws IOException {
        var unused = LockedFile.tryLockDirectory(folder, false);
        if (unused.isEmpty()) {
            return;
        }
        try (var held = unused.get()) {
            removeUnlocked(folder);
        }
    }

    /** Processes of earlier releases lock the file alone. */
    private static void removeUnlocked(Path folder) throws IOException {
        var users = folder.resolve(USERS);
        var unused = LockedFile.tryLockExisting(users);
        if (unused.isEmpty() && Files.exists(users, NOFOLLOW_LINKS)) {
            return;
        }
        try {
            FolderRemoval.remove(folder);
        } finally {
            unused.ifPresent(LockedFile::close);
        }
    }

    /** An action that may fail. */
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
