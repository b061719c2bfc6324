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
 * The native libraries in which the stubs look their functions up. {@link System#load} binds a
 * library to one class loader until that is collected; this class does not, so that several class
 * loaders of a process can use the library at a time. No library is unloaded: its threads, and its
 * functions that run at the exit of the process, stay valid.
 */
public final class Libraries {

    private static final List<SymbolLookup> LOADED = new CopyOnWriteArrayList<>();

    private Libraries() {}

    /**
     * Loads a library for the stubs of this class loader.
     *
     * @param file the library
     * @throws UnsatisfiedLinkError if it does not load, with the text of the loader
     */
    public static void load(Path file) {
        try {
            LOADED.add(SymbolLookup.libraryLookup(file, Arena.global()));
        } catch (IllegalArgumentException e) {
            System.load(file.toString()); // fails too, but says why
            throw e;
        }
    }

    /**
     * Returns the address of a function.
     *
     * @param function its name in C
     * @return its address in a library that was loaded here, or in one that this depends on
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
