// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.job;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.Stream;

/** What the kernel tells of other processes. */
final class ProcessFacts {

    private static final int STATE_BEHIND_NAME = 2;
    private static final int FLAGS = 6; // fields of /proc/PID/stat behind the state
    private static final long EXITING = 4; // PF_EXITING of the kernel

    private ProcessFacts() {}

    private static Path of(long process) {
        return Path.of("/proc", Long.toString(process));
    }

    /** Whether it is there, and more than an entry that nobody has waited for. */
    static boolean lives(long process) {
        try {
            var stat = Files.readString(of(process).resolve("stat"));
            var state = stat.charAt(stat.lastIndexOf(')') + STATE_BEHIND_NAME);
            return state != 'Z' && state != 'X';
        } catch (IOException e) {
            return false;
        }
    }

    /** Whether it is on its way out, or has gone. */
    static boolean isEnding(long process) {
        try {
            var stat = Files.readString(of(process).resolve("stat"));
            var fields =
                    stat.substring(stat.lastIndexOf(')') + STATE_BEHIND_NAME).split(" ");
            return !lives(process) || (Long.parseLong(fields[FLAGS]) & EXITING) != 0;
        } catch (IOException e) {
            return true;
        }
    }

    /** Its children, in the order in which they were started as long as numbers do not repeat. */
    static List<Long> children(long process) {
        var found = new ArrayList<Long>();
        try (var threads = Files.newDirectoryStream(of(process).resolve("task"))) {
            for (var thread : threads) {
                addNumbers(thread.resolve("children"), found);
            }
        } catch (IOException e) {
            // It has ended: it has none.
        }
        found.sort(null);
        return found;
    }

    private static void addNumbers(Path file, List<Long> numbers) {
        try {
            for (var word : Files.readString(file).split(" ")) {
                if (!word.isBlank()) {
                    numbers.add(Long.parseLong(word));
                }
            }
        } catch (IOException e) {
            // The thread has ended, and its children are another's.
        }
    }

    /** What its descriptors stand for. */
    static List<String> descriptors(long process) {
        var found = new ArrayList<String>();
        try (var all = Files.newDirectoryStream(of(process).resolve("fd"))) {
            for (var descriptor : all) {
                found.add(target(descriptor));
            }
        } catch (IOException e) {
            // It has ended: it has none.
        }
        return found;
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException e) {
            return "closed meanwhile";
        }
    }

    /** Its mappings of a file, or part of one, whose name begins so. */
    static long mappings(long process, String name) {
        try (Stream<String> lines = Files.lines(of(process).resolve("maps"))) {
            return lines.filter(line -> line.contains(" " + name)).count();
        } catch (IOException | UncheckedIOException e) {
            return 0;
        }
    }

    /** How often it has gone to sleep, if it sleeps; empty if it does not. */
    static String sleep(long process) {
        try (Stream<String> lines = Files.lines(of(process).resolve("status"))) {
            var said = lines.filter(line -> line.startsWith("State:") || line.startsWith("voluntary"))
                    .toList();
            return said.getFirst().contains("sleeping") ? said.getLast() : "";
        } catch (IOException | UncheckedIOException | NoSuchElementException e) {
            return "";
        }
    }

    /** Its memory that is in use, in KiB; 0 if it has ended. */
    static long memory(long process) {
        try (Stream<String> lines = Files.lines(of(process).resolve("status"))) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                    .findFirst()
                    .orElse(0);
        } catch (IOException e) {
            return 0;
        }
    }
}
