// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The users that the user namespace of this process maps. */
public final class UserNamespace {

    /** The id that the kernel shows for users without a mapping. It can also be that of one mapped user. */
    public static final int UNMAPPED = 65_534;

    private static final long ALL = 0xFFFFFFFFL;

    private UserNamespace() {}

    /**
     * Returns the number of users that are mapped.
     *
     * @return 1 or more
     * @throws IOException if {@code /proc} cannot be read
     */
    public static long mappedUsers() throws IOException {
        try (var lines = Files.lines(Path.of("/proc/self/uid_map"))) {
            return lines.mapToLong(line -> Long.parseLong(line.strip().split("\\s+")[2]))
                    .sum();
        }
    }

    /**
     * Returns whether an id stands for one user. Only {@link #UNMAPPED} may stand for several.
     *
     * @param id the id of a user
     * @return false also if that cannot be determined
     */
    public static boolean isOneUser(int id) {
        try {
            return id != UNMAPPED || mappedUsers() == ALL;
        } catch (IOException e) {
            return false;
        }
    }
}
