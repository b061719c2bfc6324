// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.service;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** The end of a log file that grows and may be begun anew. Of one thread. */
final class LogTail {

    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final int BLOCK = 1 << 20; // a line has 4 KiB at most

    private final Path file;
    private Object inode;
    private long position;
    private String unfinished = ""; // the beginning of a line that is being written

    LogTail(Path file) {
        this.file = file;
    }

    /** The last lines; a mebibyte of them at most. */
    List<String> last(int count) throws IOException {
        inode = Files.getAttribute(file, "unix:ino");
        position = Math.max(0, Files.size(file) - BLOCK);
        var skipsFirst = position > 0;
        var lines = read();
        return lines.subList(Math.max(skipsFirst && !lines.isEmpty() ? 1 : 0, lines.size() - count),
                lines.size());
    }

    /** What has come since: of the file that is there now, from its beginning, if it is another. */
    List<String> more() throws IOException {
        if (!Files.exists(file)) {
            return List.of(); // between two
        }
        var current = Files.getAttribute(file, "unix:ino");
        if (!current.equals(inode) || Files.size(file) < position) {
            inode = current;
            position = 0;
            unfinished = "";
        }
        return read();
    }

    private List<String> read() throws IOException {
        try (var channel = FileChannel.open(file)) {
            var bytes = ByteBuffer.allocate(BLOCK);
            var length = Math.max(0, channel.read(bytes, position));
            position += length;
            var text = unfinished + new String(bytes.array(), 0, length, StandardCharsets.UTF_8);
            var end = text.lastIndexOf('\n') + 1;
            unfinished = text.substring(end);
            return text.substring(0, end).lines().toList();
        }
    }

    /** Waits a little for more. */
    static void pause() {
        LockSupport.parkNanos(PAUSE.toNanos());
    }
}
