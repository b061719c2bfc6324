// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.shell;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Collects the log of the native libraries instead of printing it, since a failure is one line on
 * standard error. Keeps the first error, which may be more specific than a status code.
 */
final class LibraryLog extends Handler {

    private static final String LEVEL = "jurom.log.level"; // the library's own log level

    /**
     * A strong reference, since the log manager discards unreferenced loggers with their settings.
     */
    private static final Logger LOGGER = Logger.getLogger("dev.jurom.native");

    private static final LibraryLog LOG = new LibraryLog();

    private final AtomicReference<LogRecord> first = new AtomicReference<>();

    private LibraryLog() {}

    /** Stops printing the log. Call it when a program starts. */
    static void quieten() {
        if (System.getProperty(LEVEL) == null) {
            System.setProperty(LEVEL, "error");
        }
        LOGGER.setUseParentHandlers(false);
        LOGGER.setLevel(Level.SEVERE);
        LOGGER.addHandler(LOG);
    }

    /** Returns the first error. */
    static Optional<String> firstError() {
        return Optional.ofNullable(LOG.first.get()).map(LogRecord::getMessage);
    }

    @Override
    public void publish(LogRecord line) {
        first.compareAndSet(null, line);
    }

    @Override
    public void flush() {
        // nothing is buffered
    }

    @Override
    public void close() {
        // nothing is open
    }
}
