// SPDX-License-Identifier: Apache-2.0
package dev.jurom.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The open sockets of a process on this machine, by their inodes. */
public final class ProcessSockets {

    private static final List<String> INTERNET_TABLES = List.of("tcp", "tcp6", "udp", "udp6", "raw",
            "raw6");
    private static final int INTERNET_INODE = 9; // the column in /proc/net/tcp and its like
    private static final int UNIX_INODE = 6;
    private static final int UNIX_PATH = 7;

    private ProcessSockets() {
    }

    /** All of them. */
    public static Set<String> all(long process) {
        var sockets = new TreeSet<String>();
        try (var descriptors = Files.newDirectoryStream(directory(process).resolve("fd"))) {
            for (var descriptor : descriptors) {
                addSocket(descriptor, sockets);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return sockets;
    }

    private static void addSocket(Path descriptor, Set<String> sockets) {
        try {
            var target = Files.readSymbolicLink(descriptor).toString();
            if (target.startsWith("socket:[")) {
                sockets.add(target.substring("socket:[".length(), target.length() - 1));
            }
        } catch (IOException e) {
            // It was that of the listing, or has been closed.
        }
    }

    /** Those that are not local to the machine. */
    public static Set<String> internet(long process) {
        return among(all(process), INTERNET_TABLES.stream()
                .flatMap(table -> lines(process, table))
                .map(words -> words[INTERNET_INODE]));
    }

    /** Those with a name that is no file, which any process of the network namespace can reach. */
    public static Set<String> abstractUnix(long process) {
        return among(all(process), lines(process, "unix")
                .filter(words -> words.length > UNIX_PATH && words[UNIX_PATH].startsWith("@"))
                .map(words -> words[UNIX_INODE]));
    }

    private static Set<String> among(Set<String> sockets, Stream<String> known) {
        sockets.retainAll(known.collect(Collectors.toSet()));
        return sockets;
    }

    private static Stream<String[]> lines(long process, String table) {
        var file = directory(process).resolve("net").resolve(table);
        try {
            return Files.exists(file)
                    ? Files.readAllLines(file).stream().skip(1).map(l -> l.strip().split("\\s+"))
                    : Stream.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path directory(long process) {
        return Path.of("/proc", Long.toString(process));
    }
}
