// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.record;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/**
 * A copy of the sources in which defects are reintroduced. It is kept between uses, and only changed files
 * are copied, so that builds are incremental.
 */
final class ScratchCopy {

    private static final List<String> SOURCES = List.of("headers", "scripts", "src/main", "src/test/c");

    private final Path root;
    private final Path folder;

    ScratchCopy(Path root, Path folder) {
        this.root = root;
        this.folder = folder;
    }

    /** Returns the folder of the copy. */
    Path folder() {
        return folder;
    }

    /** Makes the copy equal to the sources. */
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
