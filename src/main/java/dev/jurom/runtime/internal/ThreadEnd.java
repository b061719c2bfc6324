// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime.internal;

/** Waits for threads that use native resources and must end before these are released. */
public final class ThreadEnd {

    private ThreadEnd() {}

    /**
     * Waits until a thread has ended. Blocks without a timeout; not interruptible: the interrupt
     * status is preserved.
     *
     * @param thread a thread that has been requested to end
     */
    public static void await(Thread thread) {
        var interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
