// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.files;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import dev.jurom.runtime.internal.FileAccess;
import dev.jurom.runtime.internal.FolderRemoval;
import dev.jurom.runtime.internal.LockedFile;
import dev.jurom.runtime.internal.PathText;
import dev.jurom.runtime.internal.TemporaryFolders;
import dev.jurom.runtime.internal.TrustedPath;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The directory of one service, for its sockets, in a base directory that all services of a user share. The
 * service deletes it with its content when it ends. If a service is killed, the next one deletes its directory.
 *
 * <p>A running service locks its directory and a file in it, which distinguishes it from directories that are left
 * over. The lock of the directory also keeps systemd-tmpfiles from removing files in it. Only the service's own user
 * can write here. This class is thread-safe.
 */
public final class RuntimeDirectory implements AutoCloseable {

    /**
     * Maximum length of the path of a Unix socket in bytes: 108 minus the final NUL and the mark of the
     * abstract namespace.
     */
    public static final int MAX_SOCKET_PATH = 106;

    private static final Path ALL_USERS = Path.of("/run/jurom");
    private static final String NAME = "s-[0-9a-f]{16}";
    private static final String LIFE = "life"; // the file that a running service locks
    private static final String LOCK = "lock"; // held while left-over directories are removed
    private static final Duration LOCK_TIMEOUT = Duration.ofSeconds(5);
    private static final int WRITABLE_BY_OTHERS = 022;
    /** Bytes that the longest path in a base needs: that of a socket. */
    private static final int NEEDED = "/s-0123456789abcdef/w-0123456789abcdef".length();

    private static final SecureRandom RANDOM = new SecureRandom();

    private volatile Path path; // written by the holder of this
    private final Credentials own;
    private final boolean forAll;
    private List<LockedFile> held; // guarded by this

    private RuntimeDirectory(Path path, Credentials own, boolean forAll, List<LockedFile> held) {
        this.path = path;
        this.own = own;
        this.forAll = forAll;
        this.held = held;
    }

    /**
     * Returns the base directory of all services of a user, unless their configuration names another one: {@code
     * /run/jurom} for root, {@code $XDG_RUNTIME_DIR/jurom} for other users, else {@code jurom-UID} in the first of the
     * {@link TemporaryFolders} that is safe. If another user has taken that name, it is a directory whose name begins
     * with it, which this creates if there is none.
     *
     * @param own the user
     * @return the directory, which need not exist
     */
    public static Path base(Credentials own) {
        if (own.userId() == Credentials.ROOT && Files.isWritable(Path.of("/run"))) {
            return ALL_USERS;
        }
        var given = Optional.ofNullable(System.getenv("XDG_RUNTIME_DIR"))
                .filter(text -> own.userId() != Credentials.ROOT && isForSockets(text))
                .flatMap(PathText::optional)
                .filter(directory -> isOwn(directory, own) && Files.isWritable(directory));
        if (given.isPresent()) {
            return given.get().resolve("jurom");
        }
        var folder = TemporaryFolders.ALL.stream()
                .filter(it -> TemporaryFolders.isSafe(it, own.userId()))
                .findFirst()
                .orElse(TemporaryFolders.ALL.getFirst()); // its use fails and reports the reason
        var usual = folder.resolve(temporaryName(own));
        return Files.exists(usual, NOFOLLOW_LINKS) && !isOwn(usual, own)
                ? replacements(folder, own).findFirst().orElseGet(() -> makeTemporary(usual))
                : usual;
    }

    /**
     * Returns whether paths of sockets in a directory are short enough, have the same bytes in Java and in C, and are
     * words of a service file.
     */
    private static boolean isForSockets(String directory) {
        return directory.length() + "/jurom".length() + NEEDED <= MAX_SOCKET_PATH
                && directory.chars().allMatch(letter -> letter > ' ' && letter < 0x7f && letter != '#');
    }

    private static String temporaryName(Credentials own) {
        return "jurom-" + Integer.toUnsignedString(own.userId());
    }

    /** Returns the directories that replace one whose name another user has taken. */
    private static Stream<Path> replacements(Path folder, Credentials own) {
        return below(folder, temporaryName(own) + "-*").stream()
                .filter(base -> isOwn(base, own))
                .sorted();
    }

    private static Path makeTemporary(Path usual) {
        try {
            return Files.createTempDirectory(usual.resolveSibling(""), usual.getFileName() + "-");
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
        var ofLogins = Stream.of(
                base(own),
                Path.of("/run/user", number, "jurom"),
                Path.of("/run/urom", System.getProperty("user.name"), "jurom"));
        var temporary = TemporaryFolders.ALL.stream()
                .flatMap(folder ->
                        Stream.concat(Stream.of(folder.resolve(temporaryName(own))), replacements(folder, own)));
        return Stream.concat(ofLogins, temporary)
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
                : Stream.concat(
                        Stream.of(Path.of("/run/user"), Path.of("/run/urom"))
                                .flatMap(logins -> below(logins, "*").stream())
                                .map(login -> login.resolve("jurom")),
                        TemporaryFolders.ALL.stream().flatMap(folder -> below(folder, "jurom-*").stream()));
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
        requireSafe(base, own);
        try (var lock = LockedFile.lock(base.resolve(LOCK), false, LOCK_TIMEOUT)) {
            for (var directory : servicesIn(base)) {
                removeLeftOver(directory);
            }
            var path = base.resolve("s-" + random());
            make(path, forAll);
            return new RuntimeDirectory(path, own, forAll, hold(path));
        }
    }

    private static void requireSafe(Path base, Credentials own) throws IOException {
        try {
            new TrustedPath(own.userId(), false).require(base);
        } catch (IOException e) {
            throw new IOException(
                    e.getMessage() + "; none of " + TemporaryFolders.ALL + " is safe: set XDG_RUNTIME_DIR to a"
                            + " directory that only this user can change",
                    e);
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

    private static void make(Path path, boolean forAll) throws IOException {
        Files.createDirectory(path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        if (forAll) {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx--x--x"));
        }
    }

    /** Acquires the locks of a running service. That of the base keeps cleaners from the base. */
    private static List<LockedFile> hold(Path path) throws IOException {
        var locks = new ArrayList<LockedFile>();
        try {
            locks.add(LockedFile.lockDirectory(path.resolveSibling(""), true, LOCK_TIMEOUT));
            locks.add(LockedFile.lockDirectory(path, false, LOCK_TIMEOUT));
            locks.add(LockedFile.lock(path.resolve(LIFE), false, LOCK_TIMEOUT));
            return List.copyOf(locks);
        } catch (IOException | RuntimeException e) {
            locks.forEach(LockedFile::close);
            throw e;
        }
    }

    /**
     * Creates the directory and its locks again if they have been removed, in another base if the previous one cannot
     * be created: {@code XDG_RUNTIME_DIR} is removed when its user has logged out. The caller creates the other files.
     * Waits for at most 10 s for other services that start.
     *
     * @return whether anything was missing
     * @throws IOException if it cannot be created
     */
    public synchronized boolean restore() throws IOException {
        if (isThere()) {
            return false;
        }
        try {
            restoreInPlace();
        } catch (IOException e) {
            var other = open(own, forAll);
            held.forEach(LockedFile::close);
            path = other.path;
            held = other.held;
        }
        return true;
    }

    /** {@return whether the directory and its lock file exist} */
    public boolean isThere() {
        return Files.exists(path.resolve(LIFE), NOFOLLOW_LINKS);
    }

    private void restoreInPlace() throws IOException {
        var base = path.resolveSibling("");
        provide(base, own, forAll || own.userId() == Credentials.ROOT);
        try (var lock = LockedFile.lock(base.resolve(LOCK), false, LOCK_TIMEOUT)) {
            if (!Files.exists(path, NOFOLLOW_LINKS)) {
                make(path, forAll);
            }
            held.forEach(LockedFile::close); // other services do not see the directory without locks
            held = List.of();
            held = hold(path);
        }
    }

    /**
     * Removes a directory whose service has ended. A failure does not prevent a service from starting. Services of
     * earlier releases lock the file alone, so both locks must be free. A directory without the file is kept: the file
     * of a running service of an earlier release may have been removed.
     */
    private static void removeLeftOver(Path directory) {
        try {
            var lock = LockedFile.tryLockDirectory(directory, false);
            if (lock.isPresent()) {
                try (var held = lock.get()) {
                    removeUnused(directory);
                }
            }
        } catch (IOException e) {
            // Its owner has removed it, or the next service of this user tries again.
        }
    }

    private static void removeUnused(Path directory) throws IOException {
        var life = LockedFile.tryLockExisting(directory.resolve(LIFE));
        if (life.isPresent()) {
            try (var held = life.get()) {
                FolderRemoval.remove(directory);
            }
        }
    }

    private static String random() {
        var bytes = new byte[Long.BYTES];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** {@return the path of the directory, which {@link #restore} can change} */
    public Path path() {
        return path;
    }

    /** {@return a new unique path at which a worker listens}; nothing exists there yet. */
    public Path workerSocket() {
        return path.resolve("w-" + random());
    }

    @Override
    public synchronized void close() {
        try {
            FolderRemoval.remove(path);
        } catch (IOException e) {
            // The next service of this user tries again.
        } finally {
            held.forEach(LockedFile::close); // last, after the content that they protect is removed
        }
    }
}
