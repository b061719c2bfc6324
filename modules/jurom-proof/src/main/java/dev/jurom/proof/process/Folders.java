// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/** Recursive operations on folders. */
public final class Folders {

    private Folders() {}

    /** Deletes a folder and its content. */
    public static void delete(Path folder) {
        try (var all = Files.walk(folder)) {
            for (var path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Copies the regular files of a folder. */
    public static void copy(Path from, Path to) throws IOException {
        try (var all = Files.walk(from)) {
            for (var path : all.toList()) {
                var target = to.resolve(from.relativize(path).toString());
                if (Files.isDirectory(path)) {
                    Files.createDirectories(target);
                } else if (Files.isRegularFile(path)) {
                    Files.copy(path, target);
                }
            }
        }
    }
}
