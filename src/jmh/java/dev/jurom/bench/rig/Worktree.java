// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A commit that is checked out and built in a folder of its own.
 *
 * @param folder the folder
 */
record Worktree(Path folder) {

    /** Checks out a commit in a folder that does not exist. */
    static Worktree add(Path folder, String commit) {
        git("worktree", "add", "--quiet", "--detach", folder.toString(), commit);
        return new Worktree(folder);
    }

    /** Returns the hash of the commit that a revision names. */
    static String resolve(String revision) {
        try {
            return git("rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}");
        } catch (IllegalStateException e) {
            throw new IllegalArgumentException("git knows no commit \"" + revision + "\"", e);
        }
    }

    /** Returns the abbreviated hash and the subject of a commit. */
    static String describe(String commit) {
        return git("log", "-1", "--format=%h %s", commit);
    }

    /** Builds the measured programs, which takes minutes. */
    Build build() {
        run(List.of(folder.resolve("scripts/bench").toString(), "ratios", "--help"));
        return new Build(folder);
    }

    /** Removes the trees in a folder, and the folder. */
    static void removeAll(Path parent) {
        try (var folders = Files.list(parent)) {
            folders.forEach(folder -> git("worktree", "remove", "--force", folder.toString()));
            Files.delete(parent);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String git(String... arguments) {
        var command = new ArrayList<>(List.of("git", "-C", Page.source("").toString()));
        command.addAll(List.of(arguments));
        return run(command);
    }

    /** Executes a command and returns its standard output. */
    private static String run(List<String> command) {
        try {
            var process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            var output = new String(process.getInputStream().readAllBytes()).strip();
            if (process.waitFor() != 0) {
                throw new IllegalStateException(String.join(" ", command) + " failed");
            }
            return output;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted: " + String.join(" ", command), e);
        }
    }
}
