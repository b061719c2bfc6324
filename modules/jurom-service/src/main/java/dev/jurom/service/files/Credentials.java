// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.files;

import dev.jurom.runtime.DaemonException;
import dev.jurom.runtime.internal.UserNamespace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The user, the group and the privileges of a process, as the kernel reports them.
 *
 * @param userId the id of its effective user
 * @param groupId the id of its effective group
 * @param mayChangeUser whether it may switch to any user and that user's groups
 */
public record Credentials(int userId, int groupId, boolean mayChangeUser) {

    public static final int ROOT = 0;
    /** The id that the kernel shows for users without a mapping in the user namespace. */
    public static final int UNMAPPED = UserNamespace.UNMAPPED;

    /** CAP_CHOWN (for the socket and the log of a worker), CAP_SETGID and CAP_SETUID. */
    private static final long CHANGES_USER = 1L | 1L << 6 | 1L << 7;

    private static final int EFFECTIVE = 2;
    private static final Path PROCESS = Path.of("/proc/self");

    /**
     * Reads the credentials of this process. The owner of {@code /proc/self} can differ from its user.
     *
     * @return the credentials that apply now
     * @throws DaemonException if {@code /proc} cannot be read
     */
    public static Credentials ofThisProcess() {
        try {
            return of(Files.readAllLines(PROCESS.resolve("status")));
        } catch (IOException | RuntimeException e) {
            throw new DaemonException("The credentials of this process cannot be read from /proc/self/status: " + e, e);
        }
    }

    private static Credentials of(List<String> status) throws IOException {
        var capabilities = Long.parseUnsignedLong(words(status, "CapEff:")[1], 16);
        return new Credentials(
                Integer.parseUnsignedInt(words(status, "Uid:")[EFFECTIVE]),
                Integer.parseUnsignedInt(words(status, "Gid:")[EFFECTIVE]),
                (capabilities & CHANGES_USER) == CHANGES_USER && hasOtherUsers());
    }

    /** Returns whether the user namespace has other users; if not, capabilities do not help to switch to one. */
    private static boolean hasOtherUsers() throws IOException {
        var setGroups = PROCESS.resolve("setgroups");
        return UserNamespace.mappedUsers() > 1
                && !(Files.exists(setGroups) && Files.readString(setGroups).startsWith("deny"));
    }

    private static String[] words(List<String> status, String name) {
        return status.stream()
                .filter(line -> line.startsWith(name))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("there is no " + name))
                .split("\\s+");
    }
}
