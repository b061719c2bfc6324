// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime.internal;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks that no other user can replace a file that a program uses. This class is immutable.
 *
 * <p>Every component of the path must belong to root or to the user of the service (to root alone where workers
 * of other users run the file) and be writable by no other user. A directory with the sticky bit, such as
 * {@code /tmp}, may be writable: other users can neither rename nor remove this user's files there, and the
 * next component must belong to this user. Symbolic links are followed if they and their targets meet the same
 * conditions.
 */
public final class TrustedPath {

    private static final int ROOT = 0;

    private static final int WRITABLE_BY_OTHERS = 022;
    private static final int WRITABLE_BY_ALL = 02;
    private static final int STICKY_DIRECTORY = 0041000;
    private static final int FILE_TYPE = 0170000;
    private static final int LINK = 0120000;
    private static final int DIRECTORY = 0040000;
    private static final int MAX_LINKS = 40; // the limit of the kernel
    /** Maximum number of files in a folder that is checked with its content. */
    private static final int MAX_FILES = 100_000;

    private final int own;
    private final boolean rootOnly;
    private final int forbidden;

    /**
     * Creates a rule.
     *
     * @param own the number of the user of the service
     * @param rootOnly whether other users' workers also run the files
     */
    public TrustedPath(int own, boolean rootOnly) {
        this(own, rootOnly, WRITABLE_BY_OTHERS);
    }

    private TrustedPath(int own, boolean rootOnly, int forbidden) {
        this.own = own;
        this.rootOnly = rootOnly;
        this.forbidden = forbidden;
    }

    /**
     * Checks a directory in which the service creates files with predictable names. A group may write to the
     * directories above it: on Ubuntu, {@code /var/log} belongs to one.
     *
     * @param directory the existing directory
     * @param own the number of the user of the service
     * @throws IOException if other users can create files there or replace the directory
     */
    public static void requireLogDirectory(Path directory, int own) throws IOException {
        var real = new TrustedPath(own, false, WRITABLE_BY_ALL).require(directory);
        if ((FileAccess.of(real).mode() & WRITABLE_BY_ALL) != 0) {
            throw new IOException("all users can write to " + real + ": choose a directory of its own");
        }
    }

    /**
     * Returns whether an owner is root. A user namespace without a mapping for root shows the overflow user as
     * the owner of root's files and of the root directory.
     */
    private static boolean isRoot(int owner) throws IOException {
        return owner == ROOT
                || owner == UserNamespace.UNMAPPED
                        && FileAccess.of(Path.of("/")).owner() == UserNamespace.UNMAPPED;
    }

    /**
     * Resolves a path.
     *
     * @param path an existing file or directory
     * @return the path of the same file without links, which the caller must use
     * @throws IOException if others can change what the path refers to; the message names the component
     */
    public Path require(Path path) throws IOException {
        var real = requireWay(path);
        check(real, access(real));
        return real;
    }

    /**
     * Resolves a folder from which a loader opens files by name without checking them. This checks its
     * libraries and subfolders, and rejects the sticky bit, because others could add files.
     *
     * @param folder the existing folder
     * @return the path of the same folder without links, which the caller must use
     * @throws IOException if others can change what the loader finds; the message names the path
     */
    public Path requireFolder(Path folder) throws IOException {
        var real = require(folder);
        if (!Files.isDirectory(real)) {
            throw new IOException(real + " is not a directory");
        }
        requireOnlyOwnerWrites(real, access(real));
        try (var entries = Files.newDirectoryStream(real)) {
            for (var entry : entries) {
                var access = access(entry);
                var type = access.mode() & FILE_TYPE;
                if (type == DIRECTORY) {
                    checkOwner(entry, access);
                    requireOnlyOwnerWrites(entry, access);
                } else if (entry.getFileName().toString().contains(".so")) {
                    require(entry);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return real;
    }

    /**
     * Checks a folder in which files are found by names that may be missing. This rejects the sticky bit, because
     * others could add files.
     *
     * @param folder the existing folder
     * @throws IOException if others can add files or exchange the folder; the message names the component
     */
    public void requireClosed(Path folder) throws IOException {
        var real = require(folder);
        requireOnlyOwnerWrites(real, access(real));
    }

    /**
     * Checks a file, or a folder with everything in it, that may be missing: others must not be able to add it
     * either.
     *
     * @param path the file or folder
     * @return all folders that were checked
     * @throws IOException if others can change or add something; the message names the component
     */
    public Set<Path> requireContent(Path path) throws IOException {
        var folders = new HashSet<Path>();
        requireContent(path, new HashSet<>(), folders);
        return folders;
    }

    private void requireContent(Path path, Set<Path> checked, Set<Path> folders) throws IOException {
        var real = resolve(path, true);
        if (real == null || !checked.add(real)) {
            return;
        }
        var access = access(real);
        check(real, access);
        if ((access.mode() & FILE_TYPE) == DIRECTORY) {
            requireEntries(real, access, checked, folders);
        }
    }

    /** Checks what a folder contains, whose own path has been checked. */
    private void requireEntries(Path folder, FileAccess access, Set<Path> checked, Set<Path> folders)
            throws IOException {
        requireOnlyOwnerWrites(folder, access);
        folders.add(folder);
        try (var entries = Files.newDirectoryStream(folder)) {
            for (var entry : entries) {
                if (checked.size() > MAX_FILES) {
                    throw new IOException(folder + " is in a folder with more than " + MAX_FILES
                            + " files, which cannot be checked: use one with fewer");
                }
                var found = access(entry);
                checkOwner(entry, found);
                if ((found.mode() & FILE_TYPE) == LINK) {
                    requireContent(entry, checked, folders);
                } else if (checked.add(entry)) {
                    requireOnlyOwnerWrites(entry, found);
                    if ((found.mode() & FILE_TYPE) == DIRECTORY) {
                        requireEntries(entry, found, checked, folders);
                    }
                }
            }
        } catch (AccessDeniedException e) {
            // This user cannot load anything from there either.
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    private void requireOnlyOwnerWrites(Path file, FileAccess access) throws IOException {
        if ((access.mode() & forbidden) != 0) {
            throw (access.mode() & STICKY_DIRECTORY) == STICKY_DIRECTORY
                    ? new IOException("others can add files to " + file + "; use another folder")
                    : openToOthers(file, access);
        }
    }

    /**
     * Resolves a path without checking the file at its end, for callers that check the open file.
     *
     * @param path the path of an existing file
     * @return the path of the same file without links, which the caller must use
     * @throws IOException if others can replace the file; the message names the component that allows it
     */
    public Path requireWay(Path path) throws IOException {
        return Objects.requireNonNull(resolve(path, false));
    }

    /** Resolves a path. Returns null for one that may be missing, is missing, and cannot be added by others. */
    private @Nullable Path resolve(Path path, boolean mayBeMissing) throws IOException {
        var names = new ArrayDeque<Path>();
        path.toAbsolutePath().forEach(names::add);
        var at = Path.of("/");
        var links = 0;
        while (!names.isEmpty()) {
            check(at, access(at));
            var next = at.resolve(names.pop()).normalize();
            if (mayBeMissing && !Files.exists(next, LinkOption.NOFOLLOW_LINKS)) {
                requireOnlyOwnerWrites(at, access(at));
                return null;
            }
            var access = access(next);
            if ((access.mode() & FILE_TYPE) != LINK) {
                at = next;
            } else {
                checkOwner(next, access);
                if (++links > MAX_LINKS) {
                    throw new IOException("too many links lead to " + next);
                }
                var target = at.resolve(Files.readSymbolicLink(next));
                prepend(target, names);
                at = Path.of("/");
            }
        }
        return at;
    }

    private static void prepend(Path path, Deque<Path> names) {
        for (var i = path.getNameCount() - 1; i >= 0; i--) {
            names.push(path.getName(i));
        }
    }

    private static FileAccess access(Path component) throws IOException {
        try {
            return FileAccess.of(component, LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException e) {
            throw new IOException(component + " is not there", e);
        }
    }

    private void checkOwner(Path component, FileAccess access) throws IOException {
        var owner = access.owner();
        if (!isRoot(owner) && (rootOnly || !isOwn(component, access))) {
            throw new IOException(component + " belongs to user " + Integer.toUnsignedString(owner)
                    + ", who could change what this program uses"
                    + (rootOnly ? " for all users: it must be root's" : ""));
        }
    }

    /** Where the owner's id stands for several users, only write access shows that the file is this user's. */
    private boolean isOwn(Path component, FileAccess access) {
        return access.owner() == own
                && (UserNamespace.isOneUser(own) || (access.mode() & FILE_TYPE) != LINK && Files.isWritable(component));
    }

    private void check(Path component, FileAccess access) throws IOException {
        checkOwner(component, access);
        var mode = access.mode();
        if ((mode & forbidden) != 0 && (mode & STICKY_DIRECTORY) != STICKY_DIRECTORY) {
            throw openToOthers(component, access);
        }
    }

    private IOException openToOthers(Path component, FileAccess access) {
        return new IOException("others can write to " + component + " and so change what this program uses: "
                + (access.owner() == own || own == ROOT ? "use chmod go-w" : "use another folder"));
    }

    /**
     * Finds a component of a path that not all users can pass (a directory) or read (a file).
     *
     * @param path the path, whose links are followed
     * @return the component that is nearest to the root; null if there is none, or the path does not exist
     */
    public static @Nullable Path closedComponent(Path path) {
        try {
            Path closed = null;
            for (var component = path.toRealPath(); component != null; component = component.getParent()) {
                var needed = Files.isDirectory(component) ? 01 : 04;
                if ((FileAccess.of(component).mode() & needed) == 0) {
                    closed = component;
                }
            }
            return closed;
        } catch (IOException e) {
            return null; // it does not exist, which its user reports
        }
    }
}
