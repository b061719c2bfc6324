// SPDX-License-Identifier: Apache-2.0
package dev.jurom.abi;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Copies of folders with a change that a check must detect. */
final class ChangedCopy {

    private ChangedCopy() {}

    /** Copies all files of a folder and replaces a text in one of them. */
    static Path of(Path source, Path target, String changed, String from, String to) throws IOException {
        try (var files = Files.walk(source)) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                var copy = target.resolve(source.relativize(file));
                Files.createDirectories(copy.getParent());
                Files.copy(file, copy);
            }
        }
        var path = target.resolve(changed);
        var text = Files.readString(path);
        assertTrue(text.contains(from), () -> path + " has no " + from);
        Files.writeString(path, text.replace(from, to));
        return target;
    }
}
