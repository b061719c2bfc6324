// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.service;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import dev.jurom.runtime.internal.PrintableLines;
import dev.jurom.runtime.internal.RegularFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Follows a log file that grows and is replaced when it is full. Another user may have written the
 * file, so memory is bounded and lines are made printable. This class is not thread-safe.
 */
final class LogTail {

    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final int BLOCK = 1 << 20; // a line has 4 KiB at most

    private final Path file;
    private final PrintableLines lines = new PrintableLines();
    private final ByteBuffer block = ByteBuffer.allocate(BLOCK);
    private Object inode;
    private long position;

    LogTail(Path file) {
        this.file = file;
    }

    /** Passes on the last lines, at most from the last mebibyte of the file. */
    void last(int count, Consumer<String> output) throws IOException {
        inode = Files.getAttribute(file, "unix:ino", NOFOLLOW_LINKS);
        position = Math.max(0, Files.size(file) - BLOCK);
        var skipsFirst = position > 0;
        var last = new ArrayDeque<String>();
        read(line -> {
            if (last.size() > count) {
                last.removeFirst();
            }
            last.addLast(line);
        });
        if (last.size() > count || skipsFirst && !last.isEmpty()) {
            last.removeFirst();
        }
        last.forEach(output);
    }

    /**
     * Passes on the lines that were added since the last call, from the beginning of the file if
     * it was replaced.
     * Waits for 100 ms first if the end had been reached.
     */
    void more(Consumer<String> output) throws IOException {
        if (block.hasRemaining()) {
            LockSupport.parkNanos(PAUSE.toNanos());
        }
        if (!Files.exists(file, NOFOLLOW_LINKS)) {
            return; // the file is being replaced
        }
        var current = Files.getAttribute(file, "unix:ino", NOFOLLOW_LINKS);
        if (!current.equals(inode) || Files.size(file) < position) {
            inode = current;
            position = 0;
            lines.clear();
        }
        read(output);
    }

    private void read(Consumer<String> output) throws IOException {
        try (var regular = RegularFile.at(file, NOFOLLOW_LINKS);
                var channel = regular.open()) {
            channel.read(block.clear(), position);
        }
        position += block.position();
        lines.add(block.duplicate().flip(), output);
    }
}
