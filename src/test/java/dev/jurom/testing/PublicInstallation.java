// SPDX-License-Identifier: Apache-2.0
package dev.jurom.testing;

import dev.jurom.runtime.internal.SoftwareInstallation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * A copy of the software DOCA that every user may read, as an installation is: the one that the tests
 * use is unpacked below a home.
 */
public final class PublicInstallation {

    private PublicInstallation() {
    }

    /**
     * Copies it into a folder, which is opened to all.
     *
     * @return the prefix, for {@code jurom.software.path}
     */
    public static Path in(Path folder) throws IOException {
        var from = SoftwareInstallation.current().prefix();
        var to = folder.resolve("installation");
        var readable = PosixFilePermissions.fromString("rwxr-xr-x");
        Files.setPosixFilePermissions(folder, readable);
        try (var files = Files.walk(from)) {
            for (var file : files.toList()) {
                var copy = to.resolve(from.relativize(file).toString());
                Files.copy(file, copy);
                Files.setPosixFilePermissions(copy, readable);
            }
        }
        return to;
    }
}
