// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.shell;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Detects terminals per stream; the JDK only reports whether both input and output are terminals.
 */
public final class Terminal {

    private static final int OUTPUT = 1;
    private static final int ERROR = 2;
    private static final int TYPE = 0170000; // of inode(7)
    private static final int PIPE = 0010000;
    private static final int SOCKET = 0140000;

    private Terminal() {}

    /** {@return whether standard output is a terminal} */
    public static boolean isOutput() {
        return is(OUTPUT);
    }

    /** Returns whether standard output is a pipe or a socket, which cannot be written only after its reader has exited. */
    static boolean outputHasReader() {
        try {
            var mode = (int) Files.getAttribute(Path.of("/proc/self/fd", Integer.toString(OUTPUT)), "unix:mode");
            return (mode & TYPE) == PIPE || (mode & TYPE) == SOCKET;
        } catch (IOException e) {
            return false; // it is closed
        }
    }

    /** {@return whether standard error is a terminal} */
    static boolean isError() {
        return is(ERROR);
    }

    private static boolean is(int descriptor) {
        try {
            var file = Files.readSymbolicLink(Path.of("/proc/self/fd", Integer.toString(descriptor)))
                    .toString();
            return file.startsWith("/dev/pts/") || file.startsWith("/dev/tty") || file.equals("/dev/console");
        } catch (IOException e) {
            return false;
        }
    }
}
