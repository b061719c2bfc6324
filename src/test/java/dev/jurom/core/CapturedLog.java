// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import dev.jurom.fixture.Waiting;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What arrives in Java's logging from the native libraries, and goes no further. */
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
            // nothing waits
        }

        @Override
        public void close() {
            // nothing is open
        }
    };

    CapturedLog() {
        logger.setUseParentHandlers(false);
        logger.setLevel(Level.ALL);
        logger.addHandler(handler);
    }

    /** A line that has arrived, or arrives in time, as level, logger and message. */
    String await(String message) {
        Waiting.until(
                "the line \"" + message + "\"",
                () -> records.stream().anyMatch(line -> line.getMessage().contains(message)));
        return lines().stream()
                .filter(line -> line.contains(message))
                .findFirst()
                .orElseThrow();
    }

    /** The lines that have arrived. */
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
