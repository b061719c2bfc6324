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
 * Where the vendor's libraries may be: the directories of {@code jurom.library.path}, those of the
 * loader, and the vendor's default ones, in this order.
 */
public final class VendorSearch {

    /** The system property with the directories that are searched first. */
    public static final String PROPERTY = "jurom.library.path";

    /** The library whose presence says that the vendor's DOCA is installed. */
    public static final String NAME = "libdoca_urom";

    private static final String VENDOR_ROOT = "/opt/mellanox/doca/lib";

    /** A symbol that the software DOCA exports and the vendor's does not. */
    private static final String SOFTWARE_MARK = "priv_doca_pe_post";

    private VendorSearch() {}

    /**
     * All directories that are searched, in order.
     *
     * @return without repetition; some may not exist
     */
    public static Set<Path> directories() {
        var directories = new LinkedHashSet<Path>();
        addAll(directories, System.getProperty(PROPERTY, ""));
        addAll(directories, System.getProperty("java.library.path", ""));
        addLoaderConfiguration(directories);
        var machine = Machine.name();
        directories.add(Path.of("/usr/lib/" + machine + "-linux-gnu"));
        directories.add(Path.of(VENDOR_ROOT, machine + "-linux-gnu"));
        directories.add(Path.of(VENDOR_ROOT + "64"));
        return directories;
    }

    /**
     * Where is searched, in a few words.
     *
     * @return to be put behind "in"
     */
    public static String summary() {
        var given = System.getProperty(PROPERTY, "");
        return PROPERTY + (given.isEmpty() ? " (which is not set)" : " (" + given + ")") + ", the loader's path or "
                + VENDOR_ROOT;
    }

    /**
     * The first directory that holds libdoca_urom, whoever built it.
     *
     * @return the directory, or empty
     */
    public static Optional<Path> any() {
        return directories().stream()
                .filter(directory -> LibraryLoader.find(directory, "doca_urom").isPresent())
                .findFirst();
    }

    /**
     * The first directory that holds the vendor's libdoca_urom: a software DOCA that was installed
     * in the loader's path does not count.
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
            return new String(bytes, StandardCharsets.ISO_8859_1).contains(SOFTWARE_MARK);
        } catch (IOException e) {
            return false; // loading it will say what is wrong
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
                continue; // what the loader's configuration does not tell is not searched
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
            throw new IllegalArgumentException("\"" + text + "\" is not a directory's path", e);
        }
    }
}
