// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime.internal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Searches for the libraries of the vendor: in the directories of {@code jurom.library.path}, those
 * of the loader, and the default directories of the vendor, in this order.
 */
public final class VendorSearch {

    /** The system property with the directories to search first. */
    public static final String PROPERTY = "jurom.library.path";

    /** The library whose presence indicates that the DOCA of the vendor is installed. */
    public static final String NAME = "libdoca_urom";

    private static final String VENDOR_ROOT = "/opt/mellanox/doca/lib";

    /** A symbol that the software DOCA exports and the DOCA of the vendor does not. */
    private static final String SOFTWARE_SYMBOL = "priv_doca_pe_post";

    private VendorSearch() {}

    /**
     * Returns all directories to search, in order.
     *
     * @return distinct directories, some of which may not exist
     */
    public static Set<Path> directories() {
        var directories = new LinkedHashSet<Path>();
        addAll(directories, System.getProperty(PROPERTY, ""));
        addAll(directories, System.getProperty("java.library.path", ""));
        addLoaderConfiguration(directories);
        var machine = Architecture.name();
        directories.add(Path.of("/usr/lib/" + machine + "-linux-gnu"));
        directories.add(Path.of(VENDOR_ROOT, machine + "-linux-gnu"));
        directories.add(Path.of(VENDOR_ROOT + "64"));
        return directories;
    }

    /**
     * Returns a description of the searched directories.
     *
     * @return a phrase to follow "in"
     */
    public static String summary() {
        var given = System.getProperty(PROPERTY, "");
        return PROPERTY + (given.isEmpty() ? " (which is not set)" : " (" + given + ")") + ", the loader's path or "
                + VENDOR_ROOT;
    }

    /**
     * Returns the first directory that contains libdoca_urom, of the vendor or not.
     *
     * @return the directory, or empty
     */
    public static Optional<Path> any() {
        return directories().stream()
                .filter(directory -> LibraryLoader.find(directory, "doca_urom").isPresent())
                .findFirst();
    }

    /**
     * Returns the first directory that contains libdoca_urom of the vendor. A software DOCA on the
     * search path of the loader is skipped.
     *
     * @return the directory, or empty
     */
    public static Optional<Path> genuine() {
        return directories().stream()
                .filter(directory -> LibraryLoader.find(directory, "doca_urom").isPresent())
                .filter(directory -> !isSoftware(directory))
                .findFirst();
    }

    private static boolean isSoftware(Path directory) {
        var common = LibraryLoader.find(directory, "doca_common");
        if (common.isEmpty()) {
            return false;
        }
        try {
            var bytes = Files.readAllBytes(common.get());
            return new String(bytes, StandardCharsets.ISO_8859_1).contains(SOFTWARE_SYMBOL);
        } catch (IOException e) {
            return false; // loading it reports the error
        }
    }

    private static void addAll(Set<Path> directories, String path) {
        for (var part : path.split(":")) {
            if (!part.isBlank()) {
                addPath(directories, part);
            }
        }
    }

    private static void addLoaderConfiguration(Set<Path> directories) {
        for (var file : loaderConfigurationFiles()) {
            try {
                Files.readAllLines(file, StandardCharsets.ISO_8859_1).stream()
                        .map(String::strip)
                        .filter(line -> line.startsWith("/"))
                        .forEach(line -> addPath(directories, line));
            } catch (IOException e) {
                continue; // unreadable parts of the configuration are skipped
            }
        }
    }

    private static List<Path> loaderConfigurationFiles() {
        var files = new ArrayList<Path>();
        var main = Path.of("/etc/ld.so.conf");
        if (Files.isReadable(main)) {
            files.add(main);
        }
        try (Stream<Path> parts = Files.list(Path.of("/etc/ld.so.conf.d"))) {
            parts.filter(file -> file.toString().endsWith(".conf")).sorted().forEach(files::add);
        } catch (IOException e) {
            return files;
        }
        return files;
    }

    private static void addPath(Set<Path> directories, String text) {
        try {
            directories.add(Path.of(text));
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("\"" + text + "\" is not the path of a directory", e);
        }
    }
}
