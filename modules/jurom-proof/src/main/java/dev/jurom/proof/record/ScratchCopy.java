// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.record;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/**
 * A copy of the sources in which defects are brought back. It is kept, and only what differs is
 * copied anew, so that only that is built.
 */
final class ScratchCopy {

    private static final List<String> SOURCES = List.of("headers", "scripts", "src/main", "src/test/c");

    private final Path root;
    private final Path folder;

    ScratchCopy(Path root, Path folder) {
        this.root = root;
        this.folder = folder;
    }

    /** Where it is. */
    Path folder() {
        return folder;
    }

    /** Makes it as the sources are, whatever an earlier use has left. */
    void refresh() {
        for (var name : SOURCES) {
            removeOthers(name);
            try (var files = Files.walk(root.resolve(name))) {
                files.filter(Files::isRegularFile).forEach(this::copy);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private void copy(Path file) {
        var target = folder.resolve(root.relativize(file));
        try {
            if (!Files.exists(target) || Files.mismatch(file, target) >= 0) {
                Files.createDirectories(target.getParent());
                Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING);
                target.toFile().setExecutable(Files.isExecutable(file));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void removeOthers(String name) {
        var mine = folder.resolve(name);
        if (!Files.exists(mine)) {
            return;
        }
        try (var files = Files.walk(mine)) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                if (!Files.exists(root.resolve(folder.relativize(file)))) {
                    Files.delete(file);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
