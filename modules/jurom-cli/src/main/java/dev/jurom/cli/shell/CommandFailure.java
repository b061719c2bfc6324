// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.shell;

import java.io.Serial;

/**
 * Thrown when a command cannot continue: one sentence for the user that states the remedy, and an
 * exit code.
 */
public final class CommandFailure extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** One of {@link ExitCode}. */
    private final int exitCode;

    /**
     * Creates a failure without a cause.
     *
     * @param exitCode one of {@link ExitCode}
     * @param sentence the sentence for the user
     */
    public CommandFailure(int exitCode, String sentence) {
        this(exitCode, sentence, null);
    }

    /**
     * Creates a failure with the cause that {@code --debug} shows.
     *
     * @param exitCode one of {@link ExitCode}
     * @param sentence the sentence for the user
     * @param cause the cause, or null
     */
    public CommandFailure(int exitCode, String sentence, Throwable cause) {
        super(sentence, cause);
        this.exitCode = exitCode;
    }

    /** {@return the exit code of the command} */
    public int exitCode() {
        return exitCode;
    }
}
