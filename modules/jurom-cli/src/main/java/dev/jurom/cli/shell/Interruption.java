// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.shell;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Ends a command in an orderly way on Ctrl-C or SIGTERM: the command checks {@link #isWanted}, and
 * the process exits with the command's exit code when it has returned, or after ten seconds in any
 * case.
 */
public final class Interruption {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final CompletableFuture<Integer> EXIT = new CompletableFuture<>();

    private volatile boolean wanted;

    private Interruption() {}

    /**
     * Registers the handler of Ctrl-C and SIGTERM. Call it once per process.
     *
     * @return the state, which the handler changes
     */
    public static Interruption watch() {
        var interruption = new Interruption();
        Runtime.getRuntime()
                .addShutdownHook(Thread.ofPlatform()
                        .inheritInheritableThreadLocals(false)
                        .unstarted(interruption::await));
        return interruption;
    }

    /** {@return whether the command has to end} */
    public boolean isWanted() {
        return wanted;
    }

    /** Runs in the shutdown of the JVM, also when a command has ended by itself. */
    private void await() {
        if (EXIT.isDone()) {
            return;
        }
        wanted = true;
        try {
            Runtime.getRuntime().halt(EXIT.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            System.err.println("urom: did not end within " + TIMEOUT.toSeconds() + " s");
        }
    }

    /** Reports that the command has returned and its output has been flushed. */
    static void ended(int exitCode) {
        EXIT.complete(exitCode);
    }
}
