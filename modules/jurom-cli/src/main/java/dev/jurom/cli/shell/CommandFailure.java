// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.shell;

import java.io.Serial;

/** A command cannot go on: one sentence for the user, with the way out, and an exit code. */
public final class CommandFailure extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** One of {@link ExitCode}. */
    private final int exitCode;

    /** A failure without a cause that the user might want to see. */
    public CommandFailure(int exitCode, String sentence) {
        this(exitCode, sentence, null);
    }

    /** A failure with the cause that {@code --debug} shows. */
    public CommandFailure(int exitCode, String sentence, Throwable cause) {
        super(sentence, cause);
        this.exitCode = exitCode;
    }

    /** What the command ends with. */
    public int exitCode() {
        return exitCode;
    }
}
