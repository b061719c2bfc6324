// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Leaks one object, closes another, and waits until the leak is reported. */
public final class LeakingProgram {

    private LeakingProgram() {}

    /** Exits when a leak has been reported, after 10 seconds at the latest, or after 1 second if none is expected. */
    public static void main(String[] arguments) {
        var log = new ByteArrayOutputStream();
        System.setErr(new PrintStream(log, true)); // the JDK's default logger writes here
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
