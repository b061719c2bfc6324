// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.shell;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * What the native libraries log: kept away from standard error, where a failure is one line. The
 * first error is remembered, since it may tell more than a status does.
 */
final class LibraryLog extends Handler {

    private static final String LEVEL = "jurom.log.level"; // of what the library logs at all

    /** Held here, since loggers that nobody holds are forgotten with their settings. */
    private static final Logger LOGGER = Logger.getLogger("dev.jurom.native");

    private static final LibraryLog LOG = new LibraryLog();

    private final AtomicReference<LogRecord> first = new AtomicReference<>();

    private LibraryLog() {}

    /** From now on nothing is printed; for the beginning of a program. */
    static void quieten() {
        if (System.getProperty(LEVEL) == null) {
            System.setProperty(LEVEL, "error");
        }
        LOGGER.setUseParentHandlers(false);
        LOGGER.setLevel(Level.SEVERE);
        LOGGER.addHandler(LOG);
    }

    /** The first error. */
    static Optional<String> firstError() {
        return Optional.ofNullable(LOG.first.get()).map(LogRecord::getMessage);
    }

    @Override
    public void publish(LogRecord line) {
        first.compareAndSet(null, line);
    }

    @Override
    public void flush() {
        // nothing is held back
    }

    @Override
    public void close() {
        // nothing is open
    }
}
