// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime.internal;

import dev.jurom.abi.Libraries;
import dev.jurom.runtime.LibraryLoadException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Loads the DOCA libraries for the stubs, which also find functions of the libraries that these
 * depend on. UCX, and the SHA of the software DOCA, are loaded separately, at their first use.
 */
public final class LibraryLoader {

    private static final List<String> REQUIRED = List.of("doca_common", "doca_urom");
    private static final String COMPLETION = "jurom_completion"; // part of jurom, used with both kinds of DOCA
    private static final String DMA = "doca_dma";
    private static final List<String> OPTIONAL = List.of(DMA, "doca_sha");

    private LibraryLoader() {}

    /**
     * Loads the libraries of the software DOCA, except that of SHA.
     *
     * @param directory the directory of the libraries
     * @throws LibraryLoadException if a library is missing or cannot be loaded
     */
    public static void loadSoftware(Path directory) {
        REQUIRED.forEach(name -> load(require(directory, name)));
        load(require(directory, DMA));
        load(require(directory, COMPLETION));
    }

    /**
     * Loads the DOCA of the vendor, whose DMA and SHA libraries are packaged separately and may be
     * missing.
     *
     * @param directory the directory of the libraries
     * @param own the directory of the libraries of jurom
     * @throws LibraryLoadException if a library is missing or cannot be loaded
     */
    public static void loadVendor(Path directory, Path own) {
        REQUIRED.forEach(name -> load(require(directory, name)));
        OPTIONAL.forEach(name -> find(directory, name).ifPresent(LibraryLoader::load));
        load(require(own, COMPLETION));
    }

    /**
     * Loads a further library.
     *
     * @param directory the directory of the library
     * @param name the name without {@code lib} and suffix
     * @throws LibraryLoadException if the library is missing or cannot be loaded
     */
    public static void load(Path directory, String name) {
        load(require(directory, name));
    }

    /**
     * Returns whether the loaded libraries, or those that they depend on, contain a function.
     *
     * @param function the name in C
     * @return whether the stubs find it
     */
    public static boolean hasFunction(String function) {
        return Libraries.find(function).isPresent();
    }

    /**
     * Returns the file of library {@code name} in {@code directory}, with or without a version
     * suffix.
     */
    static Optional<Path> find(Path directory, String name) {
        var plain = "lib" + name + ".so";
        if (!Files.isDirectory(directory)) {
            return Optional.empty();
        }
        try (var files = Files.list(directory)) {
            return files.filter(file -> isLibrary(file.getFileName().toString(), plain))
                    .min((a, b) -> a.toString().length() - b.toString().length());
        } catch (IOException e) {
            return Optional.empty(); // an unreadable directory counts as empty
        }
    }

    private static boolean isLibrary(String file, String plain) {
        return file.equals(plain) || file.startsWith(plain + ".");
    }

    private static Path require(Path directory, String name) {
        return find(directory, name)
                .orElseThrow(() -> new LibraryLoadException("lib" + name + ".so is not in " + directory, null));
    }

    private static void load(Path library) {
        try {
            Libraries.load(library.toAbsolutePath());
        } catch (UnsatisfiedLinkError e) {
            throw new LibraryLoadException(
                    library + " cannot be loaded: " + e.getMessage() + advice(e.getMessage()), e);
        }
    }

    private static String advice(@Nullable String loaderText) {
        if (loaderText != null && loaderText.contains("libuc")) {
            return "; install UCX (on Debian: apt-get install libucx0)";
        }
        if (loaderText != null && loaderText.contains("libcrypto")) {
            return "; install OpenSSL 3 (on Debian 12: apt-get install libssl3)";
        }
        return "";
    }
}
