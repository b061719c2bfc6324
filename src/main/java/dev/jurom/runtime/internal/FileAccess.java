// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/**
 * The owner and the mode of a file, read at the same time.
 *
 * @param owner the id of the owning user
 * @param mode the type and permissions of the file, as in {@code st_mode}
 */
public record FileAccess(int owner, int mode) {

    /**
     * Reads the owner and the mode of a file.
     *
     * @param file the file
     * @param options {@code NOFOLLOW_LINKS} for a link itself
     * @return the owner and the mode
     * @throws IOException if the file does not exist, cannot be reached, or is on a file system without owners
     */
    public static FileAccess of(Path file, LinkOption... options) throws IOException {
        var attributes = Files.readAttributes(file, "unix:mode,uid", options);
        if (attributes.get("uid") instanceof Integer owner && attributes.get("mode") instanceof Integer mode) {
            return new FileAccess(owner, mode);
        }
        throw new IOException(file + " is on a file system that knows no owners");
    }
}
