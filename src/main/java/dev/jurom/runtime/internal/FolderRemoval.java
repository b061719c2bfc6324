// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime.internal;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;

/**
 * Removes a folder with its content. All files are named relative to open folders and no link is followed, so a
 * link that takes the place of a folder meanwhile leads to no other file.
 */
public final class FolderRemoval {

    private FolderRemoval() {}

    /**
     * Removes a folder with its content. Files may be removed by other processes at the same time.
     *
     * @param folder the absolute path of the folder, whose parent no other user can exchange
     * @throws IOException if a file cannot be removed
     */
    public static void remove(Path folder) throws IOException {
        try (var parent = Files.newDirectoryStream(folder.resolveSibling(""))) {
            if (!(parent instanceof SecureDirectoryStream<Path> secure)) {
                throw new IOException("the JDK cannot remove " + folder + " without following links");
            }
            removeFolder(secure, folder.getFileName());
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    private static void removeFolder(SecureDirectoryStream<Path> parent, Path name) throws IOException {
        try (var content = parent.newDirectoryStream(name, NOFOLLOW_LINKS)) {
            for (var entry : content) {
                removeEntry(content, entry.getFileName());
            }
        } catch (NoSuchFileException e) {
            return;
        }
        try {
            parent.deleteDirectory(name);
        } catch (NoSuchFileException e) {
            // removed meanwhile
        }
    }

    private static void removeEntry(SecureDirectoryStream<Path> folder, Path name) throws IOException {
        try {
            if (folder.getFileAttributeView(name, BasicFileAttributeView.class, NOFOLLOW_LINKS)
                    .readAttributes()
                    .isDirectory()) {
                removeFolder(folder, name);
            } else {
                folder.deleteFile(name);
            }
        } catch (NoSuchFileException e) {
            // removed meanwhile
        }
    }
}
