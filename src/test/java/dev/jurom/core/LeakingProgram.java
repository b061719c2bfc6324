// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Forgets an open object, closes another, and waits until the first was reported. */
public final class LeakingProgram {

    private LeakingProgram() {}

    /** Ends when a leak was reported, or after 10 seconds; after 1 when none is expected. */
    public static void main(String[] arguments) {
        var log = new ByteArrayOutputStream();
        System.setErr(new PrintStream(log, true)); // where the JDK's default logger writes
        ProgressEngine.create().close();
        leak();
        var expected = System.getProperty("jurom.leaks") != null;
        var deadline = System.nanoTime() + Duration.ofSeconds(expected ? 10 : 1).toNanos();
        while (!log.toString().contains("LeakingProgram.leak") && System.nanoTime() < deadline) {
            System.gc();
            LockSupport.parkNanos(10_000_000);
        }
        System.out.println(log);
    }

    private static void leak() {
        MemoryMap.create();
    }
}
