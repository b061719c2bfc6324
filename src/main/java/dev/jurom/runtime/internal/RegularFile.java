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
import java.util.function.Predicate;

/**
 * Opens files that another user may have put at their path. Opening a FIFO would block, and opening
 * a device may do anything, so the file is held by {@code O_PATH} while it is checked, and only
 * then opened: what is opened is what was checked.
 */
public final class RegularFile {

    private static final posix_h.open OPEN = posix_h.open.makeInvoker();

    private RegularFile() {
    }

    /**
     * Opens a file for reading.
     *
     * @param path the file
     * @param options {@link LinkOption#NOFOLLOW_LINKS} if a symbolic link is to be refused
     * @return the open file
     * @throws IOException if the file does not exist, may not be read, or is not a regular file
     */
    public static FileChannel open(Path path, LinkOption... options) throws IOException {
        return open(path, file -> true, options);
    }

    /**
     * Opens a file for reading if it passes a check.
     *
     * @param path the file
     * @param check is given a path by which the file's attributes can be read
     * @param options {@link LinkOption#NOFOLLOW_LINKS} if a symbolic link is to be refused
     * @return the open file
     * @throws IOException if the file does not exist, may not be read, is not a regular file, or
     *         fails the check
     */
    public static FileChannel open(Path path, Predicate<Path> check, LinkOption... options)
            throws IOException {
        var seen = Files.readAttributes(path, BasicFileAttributes.class, options).fileKey();
        var held = hold(path);
        try {
            var file = Path.of("/proc/self/fd", Integer.toString(held));
            var attributes = Files.readAttributes(file, BasicFileAttributes.class);
            if (!attributes.isRegularFile() || !attributes.fileKey().equals(seen)
                    || !check.test(file)) {
                throw new IOException(path + " is not a regular file");
            }
            return FileChannel.open(file, StandardOpenOption.READ);
        } finally {
            posix_h.close(held);
        }
    }

    private static int hold(Path path) throws IOException {
        try (var arena = Arena.ofConfined()) {
            var descriptor = OPEN.apply(arena.allocateFrom(path.toString()),
                    posix_h.O_PATH() | posix_h.O_CLOEXEC());
            if (descriptor < 0) {
                throw new IOException(path + " cannot be opened: it has just been removed, or this"
                        + " process has no descriptor left");
            }
            return descriptor;
        }
    }
}
