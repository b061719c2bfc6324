// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.job;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Information about other processes, from /proc. */
final class ProcessInfo {

    private static final int STATE_AFTER_NAME = 2;

    private ProcessInfo() {}

    private static Path of(long process) {
        return Path.of("/proc", Long.toString(process));
    }

    /** Returns whether a process exists and is not a zombie. */
    static boolean isRunning(long process) {
        try {
            var stat = Files.readString(of(process).resolve("stat"));
            var state = stat.charAt(stat.lastIndexOf(')') + STATE_AFTER_NAME);
            return state != 'Z' && state != 'X';
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns the ids of the workers of a service in ascending order: the children of its launcher. */
    static List<Long> workers(long service) {
        var found = new ArrayList<Long>();
        for (var launcher : children(service)) {
            found.addAll(children(launcher));
        }
        found.sort(null);
        return found;
    }

    private static List<Long> children(long process) {
        var found = new ArrayList<Long>();
        try (var threads = Files.newDirectoryStream(of(process).resolve("task"))) {
            for (var thread : threads) {
                addNumbers(thread.resolve("children"), found);
            }
        } catch (IOException e) {
            // The process has exited.
        }
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
            // The thread has exited, and another thread is now the parent.
        }
    }

    /** Returns the targets of the descriptors. */
    static List<String> descriptors(long process) {
        var found = new ArrayList<String>();
        try (var all = Files.newDirectoryStream(of(process).resolve("fd"))) {
            for (var descriptor : all) {
                found.add(target(descriptor));
            }
        } catch (IOException e) {
            // The process has exited.
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

    /** Returns the number of mappings of files whose names start with a prefix. */
    static long mappings(long process, String name) {
        try (Stream<String> lines = Files.lines(of(process).resolve("maps"))) {
            return lines.filter(line -> line.contains(" " + name)).count();
        } catch (IOException | UncheckedIOException e) {
            return 0;
        }
    }

    /** Returns the resident memory in KiB, or 0 if the process has exited. */
    static long memory(long process) {
        try (Stream<String> lines = Files.lines(of(process).resolve("status"))) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                    .findFirst()
                    .orElse(0);
        } catch (IOException | UncheckedIOException e) {
            return 0;
        }
    }
}
