// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.logs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A file of lines that only its user can read (mode 0600). When it reaches its maximum size, it is renamed to
 * {@code NAME.1}, {@code NAME.1} to {@code NAME.2} and so on; the oldest file is deleted, and a new one is
 * created. This class is thread-safe.
 */
final class LogFile implements AutoCloseable {

    private final Path path;
    private final int maxSize;
    private final int maxFiles;
    private final ReentrantLock lock = new ReentrantLock();
    private FileChannel channel;

    /**
     * Appends to a file, which is created if it does not exist.
     *
     * @param maxSize maximum number of bytes of the file
     * @param maxFiles maximum number of files, including the current one
     */
    LogFile(Path path, int maxSize, int maxFiles) throws IOException {
        this.path = path;
        this.maxSize = maxSize;
        this.maxFiles = maxFiles;
        this.channel = open();
    }

    private FileChannel open() throws IOException {
        var ownerOnly = PosixFilePermissions.fromString("rw-------");
        var opened = FileChannel.open(
                path,
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND, LinkOption.NOFOLLOW_LINKS),
                PosixFilePermissions.asFileAttribute(ownerOnly));
        Files.setPosixFilePermissions(path, ownerOnly); // in case the file existed before
        return opened;
    }

    /**
     * Writes a line. A line that cannot be written is lost, because there is no other log.
     *
     * @return its number of bytes
     */
    int write(String line) {
        var bytes = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
        var length = bytes.remaining();
        lock.lock();
        try {
            if (channel.size() > 0 && channel.size() + bytes.remaining() > maxSize) {
                rotate();
            }
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        } catch (IOException e) {
            // The next line tries again.
        } finally {
            lock.unlock();
        }
        return length;
    }

    /** Continues in a new file if the current file has been moved and a new one can be created. */
    void reopen() {
        lock.lock();
        try {
            replace();
        } catch (IOException e) {
            // Further lines go to the old file.
        } finally {
            lock.unlock();
        }
    }

    private void replace() throws IOException {
        var next = open();
        channel.close();
        channel = next;
    }

    /**
     * Rotates the files. After a failure, the next attempt starts from the beginning and keeps files that were
     * renamed.
     */
    private void rotate() throws IOException {
        if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            shift();
        }
        replace();
    }

    private void shift() throws IOException {
        for (var number = maxFiles - 1; number > 0; number--) {
            var older = number == 1 ? path : numbered(number - 1);
            if (Files.exists(older, LinkOption.NOFOLLOW_LINKS)) {
                Files.move(older, numbered(number), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        if (maxFiles == 1) {
            Files.deleteIfExists(path);
        }
    }

    private Path numbered(int number) {
        return path.resolveSibling(path.getFileName() + "." + number);
    }

    @Override
    public void close() {
        lock.lock();
        try {
            channel.close();
        } catch (IOException e) {
            // Nothing is lost, because each line was written separately.
        } finally {
            lock.unlock();
        }
    }
}
