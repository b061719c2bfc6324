// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.process;

import dev.jurom.runtime.internal.SoftwareInstallation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** A copy of the software DOCA that every user may read, since the build is in a home directory. */
final class PublicSoftware {

    private PublicSoftware() {}

    /**
     * Copies it into a folder, makes the folder and its parent readable for all users, and returns the
     * prefix.
     */
    static Path copy(Path folder) throws IOException {
        var from = SoftwareInstallation.current().prefix();
        var to = folder.resolve("installation");
        var readable = PosixFilePermissions.fromString("rwxr-xr-x");
        Files.setPosixFilePermissions(folder, readable);
        Files.setPosixFilePermissions(folder.toAbsolutePath().getParent(), readable); // also owned by this user
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
