// SPDX-License-Identifier: Apache-2.0
package dev.jurom.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Tests that the simple name of a class identifies it. */
class NamesTest {

    private static final Path MAIN = Path.of("src", "main", "java");
    private static final Path MODULES = Command.ROOT.resolve("modules");
    private static final int MIN_SOURCES = 100; // verifies that the sources were found

    @Test
    void class_names_are_unique_over_all_packages() throws IOException {
        var sources = sources();

        var doubles = sources.stream()
                .collect(Collectors.groupingBy(Path::getFileName, TreeMap::new, Collectors.toList()))
                .values()
                .stream()
                .filter(files -> files.size() > 1)
                .map(Object::toString)
                .toList();

        assertTrue(sources.size() > MIN_SOURCES, () -> "only " + sources);
        assertEquals("", String.join("\n", doubles));
    }

    /** Returns the sources of the library and of the other modules, without generated ones and fixtures. */
    private static List<Path> sources() throws IOException {
        var root = Command.ROOT.resolve(MAIN);
        try (var ours = Files.walk(root)) {
            var found = ours.filter(NamesTest::isClass).collect(Collectors.toList());
            if (Files.exists(MODULES)) {
                try (var others = Files.walk(MODULES)) {
                    others.filter(NamesTest::isClass)
                            .filter(file -> MODULES.relativize(file).toString().matches("[^/]+/" + MAIN + "/.*"))
                            .filter(file -> !file.startsWith(MODULES.resolve("jurom-fixture")))
                            .forEach(found::add);
                }
            }
            return found;
        }
    }

    private static boolean isClass(Path file) {
        var name = file.getFileName().toString();
        return name.endsWith(".java") && !name.endsWith("-info.java");
    }
}
