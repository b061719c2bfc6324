// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * The attributes of the folders and files of one search. A later check compares them at the cost of one {@code
 * stat} each, to determine whether another search could have a different result. One thread fills it before
 * others read it.
 */
public final class FileStamps {

    /** File systems store times in units of up to two seconds, so a second change within them may not show. */
    private static final Duration GRANULARITY = Duration.ofSeconds(2);

    private static final String ATTRIBUTES = "unix:ino,size,lastModifiedTime,ctime";

    private final Map<Path, Map<String, Object>> stamps = new HashMap<>();
    private boolean recent;
    private long lastAdded; // System.nanoTime

    /** Creates an empty set of attributes, for a search that begins. */
    public FileStamps() {}

    /**
     * Adds a folder or file that may not exist, before the search reads it.
     *
     * @param file the folder or file
     */
    public void add(Path file) {
        var stamp = stamp(file);
        stamps.put(file, stamp);
        recent |= stamp.get("ctime") instanceof FileTime changed
                && Math.abs(System.currentTimeMillis() - changed.toMillis()) < GRANULARITY.toMillis();
        lastAdded = System.nanoTime();
    }

    private static Map<String, Object> stamp(Path file) {
        try {
            return Files.readAttributes(file, ATTRIBUTES);
        } catch (IOException e) {
            return Map.of(); // it does not exist
        }
    }

    /** {@return whether no file had changed so recently that a further change might not show} */
    public boolean isSettled() {
        return !recent;
    }

    /**
     * {@return whether another search is due: something has changed, or may have changed without showing it}.
     * May read the attributes of the files again.
     */
    public boolean isOutdated() {
        return recent && System.nanoTime() - lastAdded > GRANULARITY.toNanos()
                || stamps.entrySet().stream()
                        .anyMatch(stamp -> !stamp.getValue().equals(stamp(stamp.getKey())));
    }
}
