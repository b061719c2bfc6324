// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime.internal;

import dev.jurom.abi.posix.posix_h;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * A regular file that another user may have created. Opening a FIFO would block, and opening a
 * device may have any effect. Therefore the file is held through {@code O_PATH} while it is
 * checked, and opened only afterwards; it cannot be replaced in between. Not thread-safe.
 */
public final class RegularFile implements AutoCloseable {

    private static final posix_h.open OPEN = posix_h.open.makeInvoker();

    private final int descriptor;
    private final Path held;
    private final BasicFileAttributes attributes;
    private final int owner;

    private RegularFile(int descriptor, Path path, Object expectedKey) throws IOException {
        this.descriptor = descriptor;
        this.held = Path.of("/proc/self/fd", Integer.toString(descriptor));
        this.attributes = Files.readAttributes(held, BasicFileAttributes.class);
        this.owner = (Integer) Files.getAttribute(held, "unix:uid");
        if (!attributes.isRegularFile() || !attributes.fileKey().equals(expectedKey)) {
            throw new IOException(path + " is not a regular file");
        }
    }

    /**
     * Finds a file, without opening it.
     *
     * @param path the path of the file
     * @param options {@link LinkOption#NOFOLLOW_LINKS} to reject a symbolic link
     * @return the file, which the caller must close
     * @throws IOException if the file does not exist, cannot be accessed, or is not a regular file
     */
    public static RegularFile at(Path path, LinkOption... options) throws IOException {
        var key = Files.readAttributes(path, BasicFileAttributes.class, options).fileKey();
        var descriptor = hold(path);
        try {
            return new RegularFile(descriptor, path, key);
        } catch (IOException | RuntimeException e) {
            posix_h.close(descriptor);
            throw e;
        }
    }

    private static int hold(Path path) throws IOException {
        try (var arena = Arena.ofConfined()) {
            var descriptor = OPEN.apply(arena.allocateFrom(path.toString()), posix_h.O_PATH() | posix_h.O_CLOEXEC());
            if (descriptor < 0) {
                throw new IOException(path + " cannot be opened: it was removed just now, or this"
                        + " process has no file descriptor left");
            }
            return descriptor;
        }
    }

    /**
     * Returns the size.
     *
     * @return the size in bytes when the file was found
     */
    public long size() {
        return attributes.size();
    }

    /**
     * Returns the owner.
     *
     * @return the user id when the file was found
     */
    public int owner() {
        return owner;
    }

    /**
     * Opens the file for reading.
     *
     * @return the open file, which does not depend on this object
     * @throws IOException if the file may not be read
     */
    public FileChannel open() throws IOException {
        return FileChannel.open(held, StandardOpenOption.READ);
    }

    @Override
    public void close() {
        posix_h.close(descriptor);
    }
}
