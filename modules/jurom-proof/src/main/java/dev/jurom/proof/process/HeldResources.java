// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a process holds on to, as /proc shows it.
 *
 * @param descriptors how many there are of each kind ({@code socket}, {@code pipe}, {@code /memfd},
 *         {@code anon_inode}); no files, which a JVM opens when it likes
 * @param rings maps of memory that it shares with hosts
 */
public record HeldResources(Map<String, Integer> descriptors, int rings) {

    private static final String RING = "jurom_ring";

    /** Reads what a process of this user has now; nothing, when it has gone. */
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
            // It was closed meanwhile.
        }
    }

    private static int rings(long pid) {
        try (var lines = Files.lines(file(pid, "maps"))) {
            return (int) lines.filter(line -> line.contains(RING)).count();
        } catch (IOException e) {
            return 0;
        }
    }

    /** Whether it has no more of anything than it had then. */
    public boolean isWithin(HeldResources then) {
        return rings <= then.rings
                && descriptors.entrySet().stream()
                        .allMatch(entry -> entry.getValue() <= then.descriptors.getOrDefault(entry.getKey(), 0));
    }

    /** The name of the program; empty when the process has gone. */
    public static String nameOf(long pid) {
        try {
            return Files.readString(file(pid, "comm")).strip();
        } catch (IOException e) {
            return "";
        }
    }

    /** Whether there is no such process, or only a dead one that nobody has waited for. */
    public static boolean isGone(long pid) {
        try {
            var stat = Files.readString(file(pid, "stat"));
            var letter = stat.charAt(stat.lastIndexOf(')') + 2);
            return letter == 'Z' || letter == 'X';
        } catch (IOException e) {
            return true;
        }
    }

    /** How long its threads have waited for a core so far, in ns, all together. */
    public static long waitedForCore(long pid) {
        var sum = 0L;
        try (var threads = Files.newDirectoryStream(file(pid, "task"))) {
            for (var thread : threads) {
                sum += waitedForCore(thread);
            }
        } catch (IOException e) {
            return sum; // it has gone
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
