// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.plugins;

import dev.jurom.urom.PluginInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A plugin that workers can load.
 *
 * @param file its shared library, or a link to it: a worker names the plugin after this path
 * @param content what is known of the file: another content would be another plugin
 * @param info what hosts are told of it
 */
public record Plugin(Path file, Content content, PluginInfo info) {

    /**
     * What a file is, as far as its attributes tell.
     *
     * @param inode which file it is on its device
     * @param size its bytes
     * @param changed when it was written, in nanoseconds
     */
    public record Content(long inode, long size, String changed) {

        public static Content of(Path file) throws IOException {
            var attributes = Files.readAttributes(file, "unix:ino,size,lastModifiedTime");
            if (attributes.get("ino") instanceof Long inode && attributes.get("size") instanceof Long size) {
                return new Content(inode, size, String.valueOf(attributes.get("lastModifiedTime")));
            }
            throw new IOException(file + " is on a file system that does not number its files");
        }
    }

    /** How a worker is told to load it. */
    public String argument() {
        return file + ":" + Long.toUnsignedString(info.id());
    }
}
