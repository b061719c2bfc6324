// SPDX-License-Identifier: Apache-2.0
package dev.jurom.model;

import dev.jurom.fixture.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * If a sequence hangs, prints the stacks of all threads, including virtual ones, and exits this JVM.
 */
final class Watchdog {

    private Watchdog() {}

    /** Waits for the end of a sequence, or exits this JVM after the timeout. */
    static void watch(CountDownLatch over, long seconds) {
        try {
            if (!over.await(seconds, TimeUnit.SECONDS)) {
                System.err.println("a sequence has been hanging for " + seconds + " s:\n" + stacks());
                Runtime.getRuntime().halt(1);
            }
        } catch (InterruptedException | IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String stacks() throws IOException {
        var file = Files.createTempFile("jurom-stacks", ".txt");
        try {
            Command.run(
                    Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                    Long.toString(ProcessHandle.current().pid()),
                    "Thread.dump_to_file",
                    "-overwrite",
                    file.toString());
            return Files.readString(file);
        } finally {
            Files.delete(file);
        }
    }
}
