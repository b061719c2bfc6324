// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The limit of the size of files that this process writes (RLIMIT_FSIZE). */
final class FileSizeLimit {

    static final String REMEDY = "raise the limit of the size of files (ulimit -f)";

    private static final String NAME = "Max file size";

    private FileSizeLimit() {}

    /** Returns whether a file of this size cannot be written because of the limit. */
    static boolean isBelow(long bytes) {
        try (var lines = Files.lines(Path.of("/proc/self/limits"))) {
            return lines.filter(line -> line.startsWith(NAME))
                    .map(line -> line.substring(NAME.length()).strip().split("\\s+")[0])
                    .anyMatch(soft -> !soft.equals("unlimited") && Long.parseUnsignedLong(soft) < bytes);
        } catch (IOException e) {
            return false;
        }
    }
}
