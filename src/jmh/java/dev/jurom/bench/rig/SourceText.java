// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The sources and pages of this repository, as content for compression. */
final class SourceText {

    private static final List<String> FOLDERS = List.of("src", "modules", "docs", "headers", "jextract");

    private SourceText() {}

    /** Returns the files in a fixed order. */
    static List<Path> files() {
        var all = new ArrayList<Path>();
        for (var folder : FOLDERS) {
            try (var files = Files.walk(Page.source(folder))) {
                files.filter(SourceText::isText).sorted().forEach(all::add);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return all;
    }

    private static boolean isText(Path file) {
        return file.toString().matches(".*\\.(java|c|h|md)") && !file.toString().contains("/target/");
    }

    /** Returns the first bytes of the files. The content repeats if the files are shorter. */
    static MemorySegment content(Arena arena, int size) {
        var content = arena.allocate(size);
        var at = 0L;
        for (var file : files()) {
            var bytes = MemorySegment.ofArray(read(file));
            var length = Math.min(bytes.byteSize(), size - at);
            content.asSlice(at, length).copyFrom(bytes.asSlice(0, length));
            at += length;
        }
        for (var from = 0L; at < size; at++) { // the distance exceeds the size of a block
            content.set(ValueLayout.JAVA_BYTE, at, content.get(ValueLayout.JAVA_BYTE, from++));
        }
        return content;
    }

    static byte[] read(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
