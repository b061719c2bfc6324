// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.shell;

import java.time.Duration;

/**
 * Shows the progress of long operations in one line on standard error, only on a terminal. This
 * class is not thread-safe.
 */
public final class Progress implements AutoCloseable {

    private static final long PAUSE_NANOS = Duration.ofMillis(100).toNanos();
    private static final String CLEAR = "\r\033[K";

    private final boolean shown = Terminal.isError();
    private long next = System.nanoTime();
    private boolean visible;

    /** Creates a line that is not shown yet. */
    public Progress() {}

    /**
     * Shows the progress of an operation, at most every 100 ms. Cheap enough to be called for each
     * of many steps.
     *
     * @param what the name of the steps, which begins the line
     * @param done the number of completed steps
     * @param all the number of steps
     */
    public void show(String what, long done, long all) {
        if (!shown || System.nanoTime() - next < 0) {
            return;
        }
        next = System.nanoTime() + PAUSE_NANOS;
        System.err.print(CLEAR + what + " " + done + " of " + all);
        System.err.flush();
        visible = true;
    }

    /** Erases the line, so that other output can be printed. */
    public void clear() {
        if (visible) {
            System.err.print(CLEAR);
            System.err.flush();
            visible = false;
        }
    }

    @Override
    public void close() {
        clear();
    }
}
