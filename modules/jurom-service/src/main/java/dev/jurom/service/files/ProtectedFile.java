// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.files;

import dev.jurom.runtime.DaemonException;
import dev.jurom.runtime.internal.FileAccess;
import dev.jurom.runtime.internal.TrustedPath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/**
 * Reads files that other users must not be able to read, or to change or replace. The checks apply to the open
 * file, even if its name refers to another one by then.
 */
public final class ProtectedFile {

    /** The access to a file that users other than its owner may have. */
    public enum Rule {
        /** No access, except that the group may read a file that belongs to root, as in pods. */
        SECRET(077, 037, "can be accessed by others: use chmod 600"),
        /** All users may read the file. */
        UNCHANGED_BY_OTHERS(022, 022, "can be changed by others: use chmod go-w");

        private final int forbidden;
        private final int forbiddenToRoots;
        private final String violation;

        Rule(int forbidden, int forbiddenToRoots, String violation) {
            this.forbidden = forbidden;
            this.forbiddenToRoots = forbiddenToRoots;
            this.violation = violation;
        }
    }

    private static final int MAX_SIZE = 1 << 20;
    private static final int FILE_TYPE = 0170000;
    private static final int REGULAR_FILE = 0100000;
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    private static final Path DESCRIPTOR_INFO = Path.of("/proc/self/fdinfo");

    private ProtectedFile() {}

    /**
     * Reads a text file of at most 1 MiB.
     *
     * @param what the kind of file, for messages
     * @param file the file, or a link to it
     * @param rule the access that other users may have
     * @param own the user of the service: the file must belong to that user or to root
     * @return the text, decoded as UTF-8
     * @throws DaemonException if the file is missing, too long, owned by another user or accessible to others,
     *        or if others can replace it
     */
    public static String read(String what, Path file, Rule rule, Credentials own) {
        try {
            if (!Files.isRegularFile(file)) { // opening a pipe would wait for a writer
                throw refused(what, file, Files.exists(file) ? "is not a regular file" : "does not exist", null);
            }
            var real = requireWay(what, file, own);
            try (var channel = FileChannel.open(real, StandardOpenOption.READ)) {
                check(what, file, access(channel), rule, own);
                return content(what, file, channel);
            }
        } catch (NoSuchFileException e) {
            throw refused(what, file, "does not exist", e);
        } catch (IOException e) {
            throw refused(what, file, "cannot be read (" + e + ")", e);
        }
    }

    private static Path requireWay(String what, Path file, Credentials own) {
        try {
            return new TrustedPath(own.userId(), false).requireWay(file);
        } catch (IOException e) {
            throw refused(what, file, "cannot be used: " + e.getMessage(), e);
        }
    }

    private static void check(String what, Path file, FileAccess access, Rule rule, Credentials own) {
        var mode = access.mode();
        var owner = access.owner();
        if ((mode & FILE_TYPE) != REGULAR_FILE) {
            throw refused(what, file, "is not a regular file", null);
        }
        if (owner != own.userId() && owner != Credentials.ROOT) {
            throw refused(what, file, "belongs to another user", null);
        }
        var forbidden = owner == Credentials.ROOT ? rule.forbiddenToRoots : rule.forbidden;
        if ((mode & forbidden) != 0) {
            throw refused(what, file, rule.violation, null);
        }
    }

    private static String content(String what, Path file, FileChannel channel) throws IOException {
        var bytes = ByteBuffer.allocate(MAX_SIZE + 1);
        var length = 0;
        while (length >= 0 && bytes.hasRemaining()) {
            length = channel.read(bytes, bytes.position());
        }
        if (bytes.position() > MAX_SIZE) {
            throw refused(what, file, "is longer than " + MAX_SIZE + " bytes", null);
        }
        return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
    }

    /**
     * Reads the owner and the mode of an open file. The JDK does not expose a channel's descriptor, so a unique
     * file position identifies it in {@code /proc}.
     */
    private static FileAccess access(FileChannel channel) throws IOException {
        var mark = new SecureRandom().nextLong(1L << 32, 1L << 40);
        channel.position(mark);
        try (var all = Files.newDirectoryStream(DESCRIPTOR_INFO)) {
            for (var descriptor : all) {
                if (hasPosition(descriptor, mark)) {
                    return FileAccess.of(DESCRIPTORS.resolve(descriptor.getFileName()));
                }
            }
        }
        throw new IOException("/proc does not list its descriptor");
    }

    private static boolean hasPosition(Path descriptor, long position) {
        try {
            return Files.readString(descriptor).startsWith("pos:\t" + position + "\n");
        } catch (IOException e) {
            return false; // closed meanwhile
        }
    }

    private static DaemonException refused(String what, Path file, String why, @Nullable Throwable cause) {
        return DaemonException.ofConfiguration("The " + what + " " + file + " " + why, cause);
    }
}
