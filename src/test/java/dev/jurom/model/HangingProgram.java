// SPDX-License-Identifier: Apache-2.0
package dev.jurom.model;

import java.util.concurrent.CountDownLatch;

/** A hanging sequence, which the watchdog terminates. */
public final class HangingProgram {

    private HangingProgram() {}

    /** Hangs in a virtual thread. */
    public static void main(String[] arguments) {
        var never = new CountDownLatch(1);
        Thread.ofVirtual().name("hanging").start(() -> hang(never));
        Watchdog.watch(never, 1);
    }

    private static void hang(CountDownLatch never) {
        try {
            never.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
