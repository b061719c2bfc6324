// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime.internal;

import dev.jurom.core.MemoryMap;
import dev.jurom.fixture.Waiting;
import java.time.Duration;

/** Exits, and prints a line once the thread that reads the log is not blocked in native code. */
public final class NativeLogReaderProgram {

    private NativeLogReaderProgram() {}

    /** Exits with code 0; the log level is a system property. */
    public static void main(String[] arguments) {
        MemoryMap.create().close(); // loads the library
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            Waiting.within(
                    Duration.ofSeconds(10),
                    "the reader of the log has left native code",
                    () -> reader().getState() == Thread.State.TIMED_WAITING);
            System.out.println("the reader waits in Java");
        }));
        System.exit(0);
    }

    private static Thread reader() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("jurom-native-log"))
                .findFirst()
                .orElseThrow();
    }
}
