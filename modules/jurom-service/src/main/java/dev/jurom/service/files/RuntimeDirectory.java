// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.files;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import dev.jurom.runtime.internal.FileAccess;
import dev.jurom.runtime.internal.LockedFile;
import dev.jurom.runtime.internal.TrustedPath;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The directory of one service, for its sockets, in a base directory that all services of a user share. The
 * service deletes it with its content when it ends. If a service is killed, the next one deletes its directory.
 *
 * <p>A running service holds a lock in its directory, which distinguishes it from directories that are left
 * over. Only the service's own user can write here. This class is thread-safe.
 */
public final class RuntimeDirectory implements AutoCloseable {

    /**
     * Maximum length of the path of a Unix socket in bytes: 108 minus the final NUL and the mark of the
     * abstract namespace.
     */
    public static final int MAX_SOCKET_PATH = 106;

    private static final Path ALL_USERS = Path.of("/run/jurom");
    private static final Path TEMPORARY = Path.of("/tmp");
    private static final String NAME = "s-[0-9a-f]{16}";
    private static final String LIFE = "life"; // the file that a running service locks
    private static final String LOCK = "lock"; // held while left-over directories are removed
    private static final Duration LOCK_TIMEOUT = Duration.ofSeconds(5);
    private static final int WRITABLE_BY_OTHERS = 022;
    /** Bytes that the longest path in a base needs: that of a socket. */
    private static final int NEEDED = "/s-0123456789abcdef/w-0123456789abcdef".length();

    private static final SecureRandom RANDOM = new SecureRandom();

    private final Path path;
    private final LockedFile life;

    private RuntimeDirectory(Path path, LockedFile life) {
        this.path = path;
        this.life = life;
    }

    /**
     * Returns the base directory of all services of a user, unless their configuration names another one: {@code
     * /run/jurom} for root, {@code $XDG_RUNTIME_DIR/jurom} for other users, else {@code /tmp/jurom-UID}. If another
     * user has taken that name, it is a directory whose name begins with it, which this creates if there is none.
     *
     * @param own the user
     * @return the directory, which need not exist
     */
    public static Path base(Credentials own) {
        if (own.userId() == Credentials.ROOT && Files.isWritable(Path.of("/run"))) {
            return ALL_USERS;
        }
        var given = System.getenv("XDG_RUNTIME_DIR");
        if (own.userId() != Credentials.ROOT
                && given != null
                && isOwn(Path.of(given), own)
                && given.length() + "/jurom".length() + NEEDED <= MAX_SOCKET_PATH) {
            return Path.of(given, "jurom");
        }
        var usual = temporary(own);
        return Files.exists(usual, NOFOLLOW_LINKS) && !isOwn(usual, own)
                ? replacements(own).stream().findFirst().orElseGet(() -> makeTemporary(usual))
                : usual;
    }

    private static Path temporary(Credentials own) {
        return TEMPORARY.resolve("jurom-" + Integer.toUnsignedString(own.userId()));
    }

    /** Returns the directories that replace one whose name another user has taken. */
    private static List<Path> replacements(Credentials own) {
        return below(TEMPORARY, temporary(own).getFileName() + "-*").stream()
                .filter(base -> isOwn(base, own))
                .sorted()
                .toList();
    }

    private static Path makeTemporary(Path usual) {
        try {
            return Files.createTempDirectory(TEMPORARY, usual.getFileName() + "-");
        } catch (IOException e) {
            return usual; // its use fails and reports the reason
        }
    }

    /**
     * Returns the base directories in which services of a user may have their directories: {@link #base}, and
     * the bases of other logins and of systemd.
     *
     * @param own the user
     * @return the existing directories that belong to that user
     */
    public static List<Path> bases(Credentials own) {
        var number = Integer.toUnsignedString(own.userId());
        return Stream.concat(
                        Stream.of(
                                base(own),
                                Path.of("/run/user", number, "jurom"),
                                Path.of("/run/urom", System.getProperty("user.name"), "jurom"),
                                temporary(own)),
                        replacements(own).stream())
                .distinct()
                .filter(base -> isOwn(base, own))
                .toList();
    }

    /**
     * Returns the directories of other users' services that this user can read: for root, those of all users;
     * for another user, those of root.
     *
     * @param own this user
     * @return the directories, also those of services that were killed
     */
    public static List<Path> servicesOfOthers(Credentials own) {
        var all = own.userId() != Credentials.ROOT
                ? Stream.of(ALL_USERS)
                : Stream.of(
                                below(Path.of("/run/user"), "*"),
                                below(Path.of("/run/urom"), "*"),
                                below(TEMPORARY, "jurom-*"))
                        .flatMap(List::stream)
                        .map(it -> it.startsWith(TEMPORARY) ? it : it.resolve("jurom"));
        return all.filter(base -> isOfOther(base, own))
                .flatMap(base -> below(base, "s-*").stream())
                .filter(RuntimeDirectory::isOfService)
                .toList();
    }

    private static List<Path> below(Path directory, String pattern) {
        try (var found = Files.newDirectoryStream(directory, pattern)) {
            return StreamSupport.stream(found.spliterator(), false).toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    private static boolean isOfOther(Path base, Credentials own) {
        try {
            var owner = FileAccess.of(base, NOFOLLOW_LINKS).owner();
            return owner != own.userId() && isOwn(base, new Credentials(owner, owner, false));
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Lists the directories of services in a base.
     *
     * @param base the base directory
     * @return the directories, also those of services that were killed
     * @throws IOException if the base cannot be read
     */
    public static List<Path> servicesIn(Path base) throws IOException {
        try (var all = Files.newDirectoryStream(base, RuntimeDirectory::isOfService)) {
            return StreamSupport.stream(all.spliterator(), false).toList();
        }
    }

    private static boolean isOfService(Path directory) {
        return directory.getFileName().toString().matches(NAME);
    }

    private static boolean isOwn(Path directory, Credentials own) {
        try {
            requireOwn(directory, own);
            new TrustedPath(own.userId(), false).require(directory);
            return directory.isAbsolute();
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Creates a directory for a service, and removes those of services of this user that were killed. Waits for at
     * most 5 s for other services that do the same.
     *
     * @param own the user of the service
     * @param forAll whether other users can access its content; they cannot list it
     * @return the directory, which the caller closes
     * @throws IOException if it cannot be created
     */
    public static RuntimeDirectory open(Credentials own, boolean forAll) throws IOException {
        var base = base(own);
        provide(base, own, forAll || own.userId() == Credentials.ROOT);
        try (var lock = LockedFile.lock(base.resolve(LOCK), false, LOCK_TIMEOUT)) {
            for (var directory : servicesIn(base)) {
                removeLeftOver(directory);
            }
            return make(base, forAll);
        }
    }

    /**
     * Creates a directory that only its user can write to, unless it exists.
     *
     * @param directory the directory, whose missing parents are created in the same way
     * @param own the user of the service
     * @param forAll whether others can list it
     * @throws IOException if it cannot be created, belongs to another user or is writable by others
     */
    public static void provide(Path directory, Credentials own, boolean forAll) throws IOException {
        var parent = directory.getParent();
        if (parent != null && !Files.isDirectory(parent)) {
            provide(parent, own, forAll);
        }
        try {
            Files.createDirectory(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (FileAlreadyExistsException e) {
            requireOwn(directory, own);
        }
        if (forAll) {
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    private static void requireOwn(Path directory, Credentials own) throws IOException {
        if (!Files.isDirectory(directory, NOFOLLOW_LINKS)) {
            throw new IOException(directory + " is not a directory");
        }
        var access = FileAccess.of(directory, NOFOLLOW_LINKS);
        if (access.owner() != own.userId()) {
            throw new IOException(directory + " belongs to another user: remove it, or set"
                    + " XDG_RUNTIME_DIR to a directory of your own");
        }
        if ((access.mode() & WRITABLE_BY_OTHERS) != 0) {
            throw new IOException(directory + " can be written to by others: use chmod go-w");
        }
    }

    private static RuntimeDirectory make(Path base, boolean forAll) throws IOException {
        var path = Files.createDirectory(
                base.resolve("s-" + random()),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        var life = LockedFile.lock(path.resolve(LIFE), false, LOCK_TIMEOUT);
        if (forAll) {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx--x--x"));
        }
        return new RuntimeDirectory(path, life);
    }

    /**
     * Removes a directory whose service has ended. A failure does not prevent a service from starting. A
     * directory always has a lock file when it becomes visible, because it is created under the lock of the
     * base.
     */
    private static void removeLeftOver(Path directory) {
        try {
            var life = LockedFile.tryLock(directory.resolve(LIFE), false);
            if (life.isPresent()) {
                try (var held = life.get()) {
                    remove(directory);
                }
            }
        } catch (IOException e) {
            // Its owner has removed it, or the next service of this user tries again.
        }
    }

    private static void remove(Path directory) throws IOException {
        try (var files = Files.newDirectoryStream(directory)) {
            for (var file : files) {
                if (Files.isDirectory(file, NOFOLLOW_LINKS)) {
                    remove(file);
                } else {
                    Files.deleteIfExists(file);
                }
            }
        }
        Files.deleteIfExists(directory);
    }

    private static String random() {
        var bytes = new byte[Long.BYTES];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** {@return the path of the directory, which exists until this is closed} */
    public Path path() {
        return path;
    }

    /** {@return a new unique path at which a worker listens}; nothing exists there yet. */
    public Path workerSocket() {
        return path.resolve("w-" + random());
    }

    @Override
    public void close() {
        try (life) { // the lock is released last, after the content that it protects is removed
            remove(path);
        } catch (IOException e) {
            // The next service of this user tries again.
        }
    }
}
