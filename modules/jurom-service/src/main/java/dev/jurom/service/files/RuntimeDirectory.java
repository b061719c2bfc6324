// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.files;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import dev.jurom.linux.LockedFile;
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
 * The directory of one service, for its sockets, in one that all services of a user have. It is
 * deleted with all that is in it when the service ends; what a service left that was killed is
 * deleted when the next one starts.
 *
 * <p>A service holds a lock in its directory as long as it lives; so it is seen which ones are left
 * over. Only the service's own user can write here. Any thread may use it.
 */
public final class RuntimeDirectory implements AutoCloseable {

    /** The longest path of a Unix socket, in bytes; one of the 108 ends the text, one names the abstract space. */
    public static final int MAX_SOCKET_PATH = 106;

    private static final Path ALL_USERS = Path.of("/run/jurom");
    private static final String NAME = "s-[0-9a-f]{16}";
    private static final String LIFE = "life"; // the file that a service locks
    private static final String LOCK = "lock"; // held while services look for what is left over
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int WRITABLE_BY_OTHERS = 022;
    /** Bytes of the longest path in here: a socket's. */
    private static final int NEEDED = "/s-0123456789abcdef/w-0123456789abcdef".length();

    private static final SecureRandom RANDOM = new SecureRandom();

    private final Path path;
    private final LockedFile life;

    private RuntimeDirectory(Path path, LockedFile life) {
        this.path = path;
        this.life = life;
    }

    /** Where all services of a user have their sockets, unless they are told another place. */
    public static Path base(Credentials own) {
        var name = Integer.toUnsignedString(own.userId());
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
        return Path.of("/tmp", "jurom-" + name);
    }

    /**
     * Where services of a user may have their directories: as {@link #base} says here, and as it
     * may have said in another login or under systemd.
     */
    public static List<Path> bases(Credentials own) {
        var number = Integer.toUnsignedString(own.userId());
        return Stream.of(
                        base(own),
                        Path.of("/run/user", number, "jurom"),
                        Path.of("/run/urom", System.getProperty("user.name"), "jurom"),
                        Path.of("/tmp", "jurom-" + number))
                .distinct()
                .filter(base -> isOwn(base, own))
                .toList();
    }

    /**
     * The directories of services of other users that this user can look into: for root, those of
     * all users; for another user, those of root.
     */
    public static List<Path> servicesOfOthers(Credentials own) {
        var all = own.userId() != Credentials.ROOT
                ? Stream.of(ALL_USERS)
                : Stream.of(
                                below(Path.of("/run/user"), "*"),
                                below(Path.of("/run/urom"), "*"),
                                below(Path.of("/tmp"), "jurom-*"))
                        .flatMap(List::stream)
                        .map(it -> it.startsWith("/tmp") ? it : it.resolve("jurom"));
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

    /** The directories of services in a base. */
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
            new TrustedPath(own, false).require(directory);
            return directory.isAbsolute();
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Makes a directory for a service.
     *
     * @param forAll whether other users reach what is in it; they cannot list it
     */
    public static RuntimeDirectory open(Credentials own, boolean forAll) throws IOException {
        var base = base(own);
        provide(base, own, forAll || own.userId() == Credentials.ROOT);
        try (var lock = LockedFile.lock(base.resolve(LOCK), false, PATIENCE)) {
            for (var directory : servicesIn(base)) {
                removeLeftOver(directory);
            }
            return make(base, forAll);
        }
    }

    /**
     * Makes a directory that its user alone can write to, if it is not there.
     *
     * @param forAll whether others can look into it
     * @throws IOException if it cannot be made, or is another user's, or others can write to it
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
        var life = LockedFile.lock(path.resolve(LIFE), false, PATIENCE);
        if (forAll) {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx--x--x"));
        }
        return new RuntimeDirectory(path, life);
    }

    /**
     * Removes a directory whose service has ended. What cannot be removed keeps no service from
     * starting. A directory is never seen without its lock: it is created under that of the base.
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
                Files.deleteIfExists(file);
            }
        }
        Files.deleteIfExists(directory);
    }

    private static String random() {
        var bytes = new byte[Long.BYTES];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** The directory. */
    public Path path() {
        return path;
    }

    /** Where a new worker listens; never the same again. */
    public Path workerSocket() {
        return path.resolve("w-" + random());
    }

    @Override
    public void close() {
        try (life) { // first what it protects
            remove(path);
        } catch (IOException e) {
            // The next service of this user tries again.
        }
    }
}
