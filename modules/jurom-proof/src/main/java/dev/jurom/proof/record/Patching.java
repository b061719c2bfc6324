// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.record;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Applies patches with {@code git apply}, which needs no repository. */
final class Patching {

    private Patching() {}

    /** Returns why a patch does not apply to the sources in a folder, or empty if it applies. */
    static Optional<String> problem(Path folder, Path patch) throws IOException {
        return apply(folder, patch, "--check");
    }

    /** Applies a patch to the sources in a folder; returns the error, if any. */
    static Optional<String> apply(Path folder, Path patch) throws IOException {
        return apply(folder, patch, "--whitespace=nowarn");
    }

    /** Reverts a patch; returns the error, if any. */
    static Optional<String> revert(Path folder, Path patch) throws IOException {
        return apply(folder, patch, "--reverse");
    }

    private static Optional<String> apply(Path folder, Path patch, String option) throws IOException {
        var root = folder.toAbsolutePath().normalize();
        var command = new ArrayList<>(
                List.of("git", "apply", option, "--", patch.toAbsolutePath().toString()));
        var builder = new ProcessBuilder(command).directory(root.toFile()).redirectErrorStream(true);
        // Inside a repository, git would skip files outside of the folder.
        builder.environment().put("GIT_CEILING_DIRECTORIES", String.valueOf(root.getParent()));
        var git = builder.start();
        var output = new String(git.getInputStream().readAllBytes()).strip();
        try {
            return git.waitFor() == 0 ? Optional.empty() : Optional.of(output);
        } catch (InterruptedException e) {
            git.destroyForcibly();
            Thread.currentThread().interrupt();
            return Optional.of("interrupted");
        }
    }
}
