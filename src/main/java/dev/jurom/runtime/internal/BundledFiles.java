// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime.internal;

import dev.jurom.runtime.LibraryLoadException;
import dev.jurom.runtime.SoftwareBundle;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;

/**
 * Unpacks the software DOCA of a {@link SoftwareBundle} into a private directory that is named
 * after the hash of its content. Different versions can therefore be used at the same time, and
 * processes share a directory.
 */
final class BundledFiles {

    private static final List<String> FILES = List.of(
            "lib/libdoca_common.so.3",
            "lib/libdoca_urom.so.3",
            "lib/libdoca_dma.so.3",
            "lib/libdoca_sha.so.3",
            "lib/libjurom_channel_tls.so",
            "lib/libjurom_channel_ucx.so",
            "lib/libjurom_completion.so",
            "lib/libjurom_ucx.so",
            "lib/worker_java.so",
            "lib/urom_plugins/worker_graph.so",
            "lib/urom_plugins/worker_sandbox.so",
            "lib/urom_plugins/worker_rdmo.so",
            "lib/urom_plugins/worker_compress.so",
            "bin/urom_worker");

    private static final int NAME_LENGTH = 32; // hexadecimal digits: 128 bits of the hash

    private static volatile Set<String> unpacked = Set.of();

    private BundledFiles() {}

    /** Unpacks missing files, and returns the prefix of the installation. */
    static Path unpack() {
        var contents = read();
        try {
            var cache = CacheLocation.open();
            try (var builds = CachedBuilds.lock(cache.path())) {
                var directory = cache.directory(name(contents));
                for (var file : contents.entrySet()) {
                    directory.provide(file.getKey(), file.getValue());
                }
                builds.use(directory.path());
                unpacked = Set.copyOf(contents.keySet());
                return directory.path();
            }
        } catch (IOException e) {
            var largest = contents.values().stream()
                    .mapToInt(bytes -> bytes.length)
                    .max()
                    .orElse(0);
            throw new LibraryLoadException(
                    "The software DOCA could not be unpacked: " + e + "; "
                            + (FileSizeLimit.isBelow(largest)
                                    ? FileSizeLimit.REMEDY
                                    : "set " + CacheLocation.PROPERTY
                                            + " to a directory that only this user can write to,"
                                            + " and whose files can be executed"),
                    e);
        }
    }

    /** Returns whether a prefix has all files of a bundle that it had when they were unpacked. */
    static boolean areComplete(Path prefix) {
        return unpacked.stream().allMatch(file -> Files.exists(prefix.resolve(file)));
    }

    /** Returns the files of the first bundle that has files for this machine. */
    private static Map<String, byte[]> read() {
        var found = false;
        for (var bundle : ServiceLoader.load(SoftwareBundle.class, BundledFiles.class.getClassLoader())) {
            var contents = read(bundle);
            if (!contents.isEmpty()) {
                return contents;
            }
            found = true;
        }
        throw new LibraryLoadException(
                found
                        ? "jurom-native contains no native files for linux-" + Architecture.name()
                                + ": build it on such a machine"
                        : "There are no native files: add the artifact dev.jurom:jurom-native to the class"
                                + " path or the module path; it is also required with the DOCA of the vendor",
                null);
    }

    private static Map<String, byte[]> read(SoftwareBundle bundle) {
        var contents = new LinkedHashMap<String, byte[]>();
        for (var file : FILES) {
            try (var stream = bundle.open(Architecture.name(), file).orElse(null)) {
                if (stream != null) {
                    contents.put(file, stream.readAllBytes());
                }
            } catch (IOException e) {
                throw new LibraryLoadException(file + " could not be read from " + bundle + ": " + e, e);
            }
        }
        return contents;
    }

    private static String name(Map<String, byte[]> contents) {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            contents.forEach((file, bytes) -> {
                digest.update((file + "\0" + bytes.length + "\0").getBytes(StandardCharsets.UTF_8));
                digest.update(bytes);
            });
            return HexFormat.of().formatHex(digest.digest()).substring(0, NAME_LENGTH);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }
}
