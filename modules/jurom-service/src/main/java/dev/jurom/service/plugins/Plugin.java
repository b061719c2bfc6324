// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.plugins;

import dev.jurom.runtime.internal.TrustedPath;
import dev.jurom.urom.PluginInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A plugin that workers can load.
 *
 * @param file its shared library, or a link to it; a worker names the plugin after this path
 * @param content the identity of the file: a different content means a different plugin
 * @param files the files beside it from which workers run code
 * @param info the description that hosts receive
 * @param usesUcx whether it may open UCX: true unless it declares that it does not
 */
public record Plugin(Path file, Content content, CodeFiles files, PluginInfo info, boolean usesUcx) {

    /**
     * The identity of a file's content, derived from its attributes.
     *
     * @param inode the inode number
     * @param size the number of bytes
     * @param changed the time of the last change, in nanoseconds
     */
    public record Content(long inode, long size, String changed) {

        /**
         * Reads the attributes of a file.
         *
         * @param file the file, whose links are followed
         * @return the identity of its content now
         * @throws IOException if the file does not exist or cannot be reached, or its file system does not number
         *         files
         */
        public static Content of(Path file) throws IOException {
            var attributes = Files.readAttributes(file, "unix:ino,size,lastModifiedTime");
            if (attributes.get("ino") instanceof Long inode && attributes.get("size") instanceof Long size) {
                return new Content(inode, size, String.valueOf(attributes.get("lastModifiedTime")));
            }
            throw new IOException(file + " is on a file system that does not number its files");
        }
    }

    /**
     * Checks the files again before a worker loads them.
     *
     * @param trusted determines which files are accepted
     * @throws IOException if a file has changed since it was examined, or other users can change one; the message
     *         names it
     */
    public void require(TrustedPath trusted) throws IOException {
        trusted.require(file);
        if (!content.equals(Content.of(file))) {
            throw changed(file);
        }
        files.require(trusted);
    }

    static IOException changed(Path file) {
        return new IOException("the plugin's file " + file + " has just changed, and the service has not examined it"
                + " yet: start the worker again");
    }

    /** {@return the argument with which a worker loads the plugin} */
    public String argument() {
        return file + ":" + Long.toUnsignedString(info.id());
    }
}
