// SPDX-License-Identifier: Apache-2.0
package dev.jurom.model;

import dev.jurom.fixture.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * When a sequence hangs, prints the stacks of all threads, virtual ones included, and ends this
 * JVM, as nothing else would end it.
 */
final class Watchdog {

    private Watchdog() {}

    /** Waits for a sequence's end, or ends this JVM. */
    static void watch(CountDownLatch over, long seconds) {
        try {
            if (!over.await(seconds, TimeUnit.SECONDS)) {
                System.err.println("A sequence hangs for " + seconds + " s:\n" + stacks());
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
