// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Whether nobody else can put another file in the place of one that the service runs. Immutable.
 *
 * <p>Every component of the path, links resolved, must belong to root or to the user of the service
 * (to root alone where workers of other users run it) and be writable by nobody else. A directory
 * with the sticky bit, such as {@code /tmp}, may be: nobody else can rename or remove there what is
 * ours, and what comes next on the path must be ours.
 */
final class TrustedPath {

    private static final int WRITABLE_BY_OTHERS = 022;
    private static final int STICKY_DIRECTORY = 0041000;

    private final Credentials own;
    private final boolean rootOnly;

    /**
     * Whose files are to be run.
     *
     * @param rootOnly whether other users' workers run them too
     */
    TrustedPath(Credentials own, boolean rootOnly) {
        this.own = own;
        this.rootOnly = rootOnly;
    }

    /**
     * Whether an owner is root: in a user namespace that does not know root, its files are those of
     * "nobody", who then owns the root directory too.
     */
    static boolean isRoot(int owner) throws IOException {
        return owner == Credentials.ROOT || owner == Credentials.UNMAPPED
                && owner(Path.of("/")) == Credentials.UNMAPPED;
    }

    /**
     * Resolves a path.
     *
     * @return the same file by a path without links, which is the one to be used
     * @throws IOException if others can change what it names; the message says which component
     */
    Path require(Path path) throws IOException {
        Path real;
        try {
            real = path.toRealPath();
        } catch (NoSuchFileException e) {
            throw new IOException(path + " is not there", e);
        }
        for (var component = real; component != null; component = component.getParent()) {
            check(component);
        }
        return real;
    }

    private void check(Path component) throws IOException {
        var owner = owner(component);
        if (!isRoot(owner) && (rootOnly || owner != own.userId())) {
            throw new IOException(component + " belongs to user " + Integer.toUnsignedString(owner)
                    + ", who could change what the service runs"
                    + (rootOnly ? " for all users: it must be root's" : ""));
        }
        var mode = mode(component);
        if ((mode & WRITABLE_BY_OTHERS) != 0
                && (mode & STICKY_DIRECTORY) != STICKY_DIRECTORY) {
            throw new IOException("others can write to " + component
                    + " and so change what the service runs: use chmod go-w");
        }
    }

    /** The first component of a path that users in general cannot pass or read, or null. */
    static @Nullable Path closedComponent(Path path) {
        try {
            Path closed = null;
            for (var component = path.toRealPath(); component != null;
                    component = component.getParent()) {
                var needed = Files.isDirectory(component) ? 01 : 04;
                if ((mode(component) & needed) == 0) {
                    closed = component;
                }
            }
            return closed;
        } catch (IOException e) {
            return null; // it is not there, which who needs it finds out
        }
    }

    private static int owner(Path path) throws IOException {
        return (Integer) Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    }

    private static int mode(Path path) throws IOException {
        return (Integer) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
    }
}
