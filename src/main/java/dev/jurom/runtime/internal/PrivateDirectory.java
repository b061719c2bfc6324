// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime.internal;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Set;

/**
 * A directory that only this user can access (mode 0700, which is checked). Files appear in it
 * atomically, whatever other processes do at the same time.
 *
 * @param path the path of the directory
 */
public record PrivateDirectory(Path path) {

    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");
    private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY_ATTRIBUTE =
            PosixFilePermissions.asFileAttribute(OWNER_ONLY);

    /**
     * Opens a directory, which is created if it does not exist.
     *
     * @param path the path of the directory
     * @return the directory, which only this user can access or exchange
     * @throws IOException if it cannot be created, or belongs to another user, or other users can
     *         access it, or exchange it or one of its parents
     */
    public static PrivateDirectory open(Path path) throws IOException {
        var trusted = new TrustedPath(ownUserId(), false);
        var existing = path.toAbsolutePath();
        while (existing.getParent() != null && !Files.exists(existing, NOFOLLOW_LINKS)) {
            existing = existing.getParent();
        }
        trusted.require(existing); // before anything is created there
        var parent = path.toAbsolutePath().getParent();
        if (parent != null) {
            // The umask of Debian 13 and later makes new directories writable for the group of the
            // user.
            Files.createDirectories(parent, OWNER_ONLY_ATTRIBUTE);
        }
        try {
            Files.createDirectory(path, OWNER_ONLY_ATTRIBUTE);
        } catch (FileAlreadyExistsException e) {
            requirePrivate(path);
        }
        return new PrivateDirectory(trusted.require(path));
    }

    /**
     * Opens a directory in a folder where other users may have taken its name. In that case, opens
     * one whose name begins with it, which earlier calls have created, or creates one.
     *
     * @param folder an existing folder, such as {@code /tmp}
     * @param name the name of the directory
     * @return the directory
     * @throws IOException if it cannot be created, or others can exchange the folder
     */
    public static PrivateDirectory openIn(Path folder, String name) throws IOException {
        new TrustedPath(ownUserId(), false).require(folder);
        try {
            return open(folder.resolve(name));
        } catch (IOException e) {
            try (var others = Files.newDirectoryStream(folder, name + "-*")) {
                for (var other : others) {
                    if (isPrivate(other)) {
                        return open(other);
                    }
                }
            }
            return open(Files.createTempDirectory(folder, name + "-", OWNER_ONLY_ATTRIBUTE));
        }
    }

    /**
     * Opens or creates a subdirectory.
     *
     * @param name one path element
     * @return the directory
     * @throws IOException as {@link #open}
     */
    public PrivateDirectory directory(String name) throws IOException {
        return open(path.resolve(name));
    }

    /**
     * Checks that files in this directory can be executed.
     *
     * @throws IOException if its file system is mounted with {@code noexec}, or no file can be created
     */
    void requireExecutable() throws IOException {
        var program = Files.createTempFile(path, ".new", null, OWNER_ONLY_ATTRIBUTE);
        try {
            if (!Files.isExecutable(program)) {
                throw new IOException(path + " is on a file system that executes no programs (mount option noexec)");
            }
        } finally {
            Files.delete(program);
        }
    }

    /**
     * Ensures that a file with the given content exists, executable by this user.
     *
     * @param file the path relative to this directory
     * @param content the content
     * @throws IOException if the file cannot be written
     */
    public void provide(String file, byte[] content) throws IOException {
        var target = path.resolve(file);
        if (holds(target, content)) {
            return;
        }
        Files.createDirectories(target.getParent(), OWNER_ONLY_ATTRIBUTE);
        var fresh = Files.createTempFile(target.getParent(), ".new", null, OWNER_ONLY_ATTRIBUTE);
        try {
            Files.write(fresh, content);
            Files.move(fresh, target, ATOMIC_MOVE, REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(fresh);
        }
    }

    private static boolean holds(Path file, byte[] content) throws IOException {
        return Files.isRegularFile(file, NOFOLLOW_LINKS)
                && Files.isExecutable(file)
                && Files.size(file) == content.length
                && Arrays.equals(Files.readAllBytes(file), content);
    }

    private static void requirePrivate(Path path) throws IOException {
        if (!Files.isDirectory(path, NOFOLLOW_LINKS)) {
            throw new IOException(path + " is not a directory");
        }
        if (!Files.getAttribute(path, "unix:uid", NOFOLLOW_LINKS).equals(ownUserId())) {
            throw new IOException(path + " belongs to another user");
        }
        if (!Files.getPosixFilePermissions(path, NOFOLLOW_LINKS).equals(OWNER_ONLY)) {
            throw new IOException(path + " is open to other users: chmod 700 it, or remove it");
        }
    }

    private static boolean isPrivate(Path path) {
        try {
            requirePrivate(path);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns the number of the effective user; the owner of {@code /proc/self} may be another. */
    static int ownUserId() throws IOException {
        try (var lines = Files.lines(Path.of("/proc/self/status"))) {
            return lines.filter(line -> line.startsWith("Uid:"))
                    .map(line -> Integer.parseUnsignedInt(line.split("\\s+")[2]))
                    .findFirst()
                    .orElseThrow(() -> new IOException("/proc/self/status has no user"));
        }
    }
}
