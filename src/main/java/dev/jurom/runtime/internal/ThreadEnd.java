// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime.internal;

/** Waiting for a thread that what is native depends on, and that must be gone before one goes on. */
public final class ThreadEnd {

    private ThreadEnd() {}

    /**
     * Waits until a thread has ended, however long that takes. An interrupt does not shorten it: the
     * calling thread is interrupted again afterwards.
     *
     * @param thread a thread that has been told to end
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
