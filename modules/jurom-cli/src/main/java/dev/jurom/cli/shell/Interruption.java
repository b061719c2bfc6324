// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.shell;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Lets a command end in its own way on Ctrl-C or SIGTERM: it looks at {@link #isWanted}, and the
 * process ends with its exit code when it has returned, or after ten seconds all the same.
 */
public final class Interruption {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final CompletableFuture<Integer> EXIT = new CompletableFuture<>();

    private volatile boolean wanted;

    private Interruption() {}

    /** From now on Ctrl-C is for this to tell of. Once a process. */
    public static Interruption watch() {
        var interruption = new Interruption();
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(interruption::await));
        return interruption;
    }

    /** Whether the command is to end now. */
    public boolean isWanted() {
        return wanted;
    }

    /** The shutdown of the JVM: it is also what the end of a command leads to. */
    private void await() {
        if (EXIT.isDone()) {
            return;
        }
        wanted = true;
        try {
            Runtime.getRuntime().halt(EXIT.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            System.err.println("urom: did not end within " + PATIENCE.toSeconds() + " s");
        }
    }

    /** The command has returned, and all that it has printed is written. */
    static void ended(int exitCode) {
        EXIT.complete(exitCode);
    }
}
