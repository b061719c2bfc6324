// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.shell;

import java.time.Duration;

/**
 * How far long work is: one line on standard error that is written over and over, on a terminal
 * alone. Of one thread.
 */
public final class Progress implements AutoCloseable {

    private static final long PAUSE_NANOS = Duration.ofMillis(100).toNanos();
    private static final String CLEAR = "\r\033[K";

    private final boolean shown = Terminal.isError();
    private long next = System.nanoTime();
    private boolean visible;

    /** Shows how far something is. Cheap enough to be called for each of many steps. */
    public void show(String what, long done, long all) {
        if (!shown || System.nanoTime() - next < 0) {
            return;
        }
        next = System.nanoTime() + PAUSE_NANOS;
        System.err.print(CLEAR + what + " " + done + " of " + all);
        System.err.flush();
        visible = true;
    }

    /** Takes the line away, for others to be printed. */
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
