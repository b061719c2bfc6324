// SPDX-License-Identifier: Apache-2.0
package dev.jurom.abi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The native libraries whose functions the stubs call. {@link System#load} binds a library to one
 * class loader until that is collected; this class does not, so several class loaders of a process
 * can use a library at the same time. Libraries are never unloaded, so that their threads, and
 * functions that run when the process exits, stay valid.
 */
public final class Libraries {

    private static final List<SymbolLookup> LOADED = new CopyOnWriteArrayList<>();

    private Libraries() {}

    /**
     * Loads a library for the stubs of this class loader.
     *
     * @param file the path of the library
     * @throws UnsatisfiedLinkError if it cannot be loaded, with the text of the loader
     */
    public static void load(Path file) {
        try {
            LOADED.add(SymbolLookup.libraryLookup(file, Arena.global()));
        } catch (IllegalArgumentException e) {
            System.load(file.toString()); // also fails, but reports the reason
            throw e;
        }
    }

    /**
     * Returns the address of a function.
     *
     * @param function the name in C
     * @return the address in a library that was loaded by this class, or in one that it depends on
     */
    public static Optional<MemorySegment> find(String function) {
        return LOADED.stream()
                .flatMap(library -> library.find(function).stream())
                .findFirst();
    }

    /**
     * Returns the lookup of the stubs.
     *
     * @return a lookup that also finds functions of libraries that are loaded later
     */
    public static SymbolLookup lookup() {
        return Libraries::find;
    }
}
