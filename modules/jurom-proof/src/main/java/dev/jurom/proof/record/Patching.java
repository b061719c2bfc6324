// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.record;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Applies patches with git, which needs no repository for that. */
final class Patching {

    private Patching() {}

    /** Why a patch does not apply to the sources in a folder; empty: it does. */
    static Optional<String> problem(Path folder, Path patch) throws IOException {
        return apply(folder, patch, "--check");
    }

    /** Changes the sources in a folder; empty: it was done. */
    static Optional<String> apply(Path folder, Path patch) throws IOException {
        return apply(folder, patch, "--whitespace=nowarn");
    }

    /** Takes a patch back out. */
    static Optional<String> takeBack(Path folder, Path patch) throws IOException {
        return apply(folder, patch, "--reverse");
    }

    private static Optional<String> apply(Path folder, Path patch, String option) throws IOException {
        var root = folder.toAbsolutePath().normalize();
        var command = new ArrayList<>(
                List.of("git", "apply", option, "--", patch.toAbsolutePath().toString()));
        var builder = new ProcessBuilder(command).directory(root.toFile()).redirectErrorStream(true);
        // A repository that the folder lies in would have files outside of the folder passed over.
        builder.environment().put("GIT_CEILING_DIRECTORIES", String.valueOf(root.getParent()));
        var git = builder.start();
        var said = new String(git.getInputStream().readAllBytes()).strip();
        try {
            return git.waitFor() == 0 ? Optional.empty() : Optional.of(said);
        } catch (InterruptedException e) {
            git.destroyForcibly();
            Thread.currentThread().interrupt();
            return Optional.of("interrupted");
        }
    }
}
