// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * Resources that a process holds, as reported by /proc.
 *
 * @param descriptors the number of descriptors by kind ({@code socket}, {@code pipe}, {@code /memfd},
 *     {@code anon_inode}), without files, which a JVM opens at any time
 * @param rings the number of mappings of memory shared with hosts
 */
public record HeldResources(Map<String, Integer> descriptors, int rings) {

    private static final String RING = "jurom_ring";

    /** Returns the resources of a process of this user, or none if it has exited. */
    public static HeldResources of(long pid) {
        var descriptors = new TreeMap<String, Integer>();
        try (var links = Files.newDirectoryStream(file(pid, "fd"))) {
            for (var link : links) {
                count(link, descriptors);
            }
        } catch (IOException e) {
            return new HeldResources(Map.of(), 0);
        }
        return new HeldResources(descriptors, rings(pid));
    }

    private static void count(Path link, Map<String, Integer> descriptors) {
        try {
            var kind = Files.readSymbolicLink(link).toString().split(":", 2);
            if (kind.length == 2) {
                descriptors.merge(kind[0], 1, Integer::sum);
            }
        } catch (IOException e) {
            // The descriptor was closed meanwhile.
        }
    }

    private static int rings(long pid) {
        try (var lines = Files.lines(file(pid, "maps"))) {
            return (int) lines.filter(line -> line.contains(RING)).count();
        } catch (IOException e) {
            return 0;
        }
    }

    /** Returns whether no number exceeds that of an earlier measurement. */
    public boolean isWithin(HeldResources earlier) {
        return rings <= earlier.rings
                && descriptors.entrySet().stream()
                        .allMatch(entry -> entry.getValue() <= earlier.descriptors.getOrDefault(entry.getKey(), 0));
    }

    /** Returns the name of the program, or an empty string if the process has exited. */
    public static String nameOf(long pid) {
        try {
            return Files.readString(file(pid, "comm")).strip();
        } catch (IOException e) {
            return "";
        }
    }

    /** Returns whether the process has exited; it may be a zombie. */
    public static boolean isGone(long pid) {
        try {
            var stat = Files.readString(file(pid, "stat"));
            var letter = stat.charAt(stat.lastIndexOf(')') + 2);
            return letter == 'Z' || letter == 'X';
        } catch (IOException e) {
            return true;
        }
    }

    /** Returns the total time in nanoseconds that the threads of a process have waited for a core. */
    public static long waitedForCore(long pid) {
        var sum = 0L;
        try (var threads = Files.newDirectoryStream(file(pid, "task"))) {
            for (var thread : threads) {
                sum += waitedForCore(thread);
            }
        } catch (IOException e) {
            return sum; // the process has exited
        }
        return sum;
    }

    private static long waitedForCore(Path thread) {
        try {
            return Long.parseLong(Files.readString(thread.resolve("schedstat")).split(" ")[1]);
        } catch (IOException e) {
            return 0;
        }
    }

    private static Path file(long pid, String name) {
        return Path.of("/proc", Long.toString(pid), name);
    }
}
