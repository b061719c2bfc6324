// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ucx;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Process-wide state that a native library could change. */
final class ProcessState {

    private static final int LAST_SIGNAL = 64;
    private static final long SIGACTION_SIZE = 256; // more than any C library's struct sigaction
    private static final long SIGACTION_KNOWN = 16; // handler and mask; what follows may be garbage

    private ProcessState() {}

    /** Returns the main libraries of UCX that are mapped into this process. */
    static Set<String> ucxLibraries() {
        return lines(Path.of("/proc/self/maps")).stream()
                .map(line -> line.substring(line.lastIndexOf('/') + 1))
                .filter(file -> file.matches("libuc[ps]\\.so.*"))
                .map(file -> file.substring(0, file.indexOf('.')))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns the size of the C library's code pages modified by this process, in KiB. */
    static long ownCodeOfTheCLibrary() {
        var own = 0L;
        var inCode = false;
        for (var line : lines(Path.of("/proc/self/smaps"))) {
            if (line.matches("[0-9a-f]+-[0-9a-f]+ .*")) {
                inCode = line.contains(" r-xp ") && line.contains("/libc.so");
            } else if (inCode && line.startsWith("Private_Dirty:")) {
                own += Long.parseLong(line.split("\\s+")[1]);
            }
        }
        return own;
    }

    /** Returns the ID and name of each thread, including native threads. */
    static Set<String> threads() {
        var threads = new TreeSet<String>();
        for (var task : list(Path.of("/proc/self/task"))) {
            try {
                var name = Files.readString(task.resolve("comm")).strip();
                threads.add(task.getFileName() + " " + name);
            } catch (IOException e) {
                continue; // the thread has terminated
            }
        }
        return threads;
    }

    /** Returns the masks of blocked, ignored and caught signals. */
    static List<String> signalMasks() {
        return lines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.matches("Sig(Blk|Ign|Cgt):.*"))
                .toList();
    }

    /** Returns the action of each signal, read by sigaction(2): the handler and the signals it blocks. */
    static Map<Integer, String> signalActions() {
        var linker = Linker.nativeLinker();
        var sigaction = linker.downcallHandle(
                linker.defaultLookup().find("sigaction").orElseThrow(),
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
        var actions = new HashMap<Integer, String>();
        try (var arena = Arena.ofConfined()) {
            for (var signal = 1; signal <= LAST_SIGNAL; signal++) {
                actions.put(signal, action(sigaction, signal, arena.allocate(SIGACTION_SIZE, 8)));
            }
        }
        return actions;
    }

    private static String action(MethodHandle sigaction, int signal, MemorySegment action) {
        try {
            var result = (int) sigaction.invokeExact(signal, MemorySegment.NULL, action);
            return result + " "
                    + HexFormat.of()
                            .formatHex(action.asSlice(0, SIGACTION_KNOWN).toArray(JAVA_BYTE));
        } catch (Throwable e) {
            throw new AssertionError("sigaction throws nothing", e);
        }
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Path> list(Path directory) {
        try (var entries = Files.newDirectoryStream(directory)) {
            var paths = new ArrayList<Path>();
            entries.forEach(paths::add);
            return paths;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
