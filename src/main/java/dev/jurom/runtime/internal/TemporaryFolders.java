// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The folders in which each user can create files. They are safe if they have the sticky bit: in a volume of mode 0777,
 * such as an emptyDir of Kubernetes that is mounted as {@code /tmp}, another user could exchange a private directory.
 */
public final class TemporaryFolders {

    /** All folders, in the order of preference for files that are not executed. */
    public static final List<Path> ALL = List.of(Path.of("/tmp"), Path.of("/dev/shm"), Path.of("/var/tmp"));

    private TemporaryFolders() {}

    /**
     * Returns whether a user can create files in a folder that no other user can exchange.
     *
     * @param folder the folder
     * @param own the number of the user of this process
     * @return false also for a missing folder
     */
    public static boolean isSafe(Path folder, int own) {
        try {
            return Files.isWritable(new TrustedPath(own, false).require(folder));
        } catch (IOException e) {
            return false;
        }
    }
}
