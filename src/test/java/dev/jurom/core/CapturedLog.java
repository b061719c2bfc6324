// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import dev.jurom.fixture.Waiting;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Captures the log records of the native libraries without passing them to other handlers. */
final class CapturedLog implements AutoCloseable {

    private final Logger logger = Logger.getLogger("dev.jurom.native");
    private final List<LogRecord> records = new CopyOnWriteArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            records.add(line);
        }

        @Override
        public void flush() {
            // records are not buffered
        }

        @Override
        public void close() {
            // the handler has no resources
        }
    };

    CapturedLog() {
        logger.setUseParentHandlers(false);
        logger.setLevel(Level.ALL);
        logger.addHandler(handler);
    }

    /** Waits for a record and returns its level, logger and message. */
    String await(String message) {
        Waiting.until(
                "the line \"" + message + "\"",
                () -> records.stream().anyMatch(line -> line.getMessage().contains(message)));
        return lines().stream()
                .filter(line -> line.contains(message))
                .findFirst()
                .orElseThrow();
    }

    /** Returns the records received so far. */
    List<String> lines() {
        return records.stream()
                .map(line -> line.getLevel() + " " + line.getLoggerName() + " " + line.getMessage())
                .toList();
    }

    @Override
    public void close() {
        logger.removeHandler(handler);
        logger.setUseParentHandlers(true);
        logger.setLevel(null);
    }
}
