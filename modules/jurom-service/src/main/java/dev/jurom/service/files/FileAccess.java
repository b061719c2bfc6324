// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/**
 * Whose a file is, and who may do what with it, both as of the same moment.
 *
 * @param owner a user's id
 * @param mode the file's kind and permissions, as {@code stat} gives them
 */
public record FileAccess(int owner, int mode) {

    /** Looks at a file. */
    public static FileAccess of(Path file, LinkOption... options) throws IOException {
        var attributes = Files.readAttributes(file, "unix:mode,uid", options);
        if (attributes.get("uid") instanceof Integer owner && attributes.get("mode") instanceof Integer mode) {
            return new FileAccess(owner, mode);
        }
        throw new IOException(file + " is on a file system that knows no owners");
    }
}
