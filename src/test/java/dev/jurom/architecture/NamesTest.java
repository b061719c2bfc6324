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

/** Who searches for a class finds one. */
class NamesTest {

    private static final Path MAIN = Path.of("src", "main", "java");
    private static final Path MODULES = Command.ROOT.resolve("modules");
    private static final int MANY = 100; // the walk has found our sources

    @Test
    void no_two_classes_of_different_packages_have_one_name() throws IOException {
        var sources = sources();

        var doubles = sources.stream()
                .collect(Collectors.groupingBy(Path::getFileName, TreeMap::new, Collectors.toList()))
                .values()
                .stream()
                .filter(files -> files.size() > 1)
                .map(Object::toString)
                .toList();

        assertTrue(sources.size() > MANY, () -> "only " + sources);
        assertEquals("", String.join("\n", doubles));
    }

    /** The sources of the library and of the modules beside it, without the generated ones. */
    private static List<Path> sources() throws IOException {
        var root = Command.ROOT.resolve(MAIN);
        try (var ours = Files.walk(root)) {
            var found = ours.filter(NamesTest::isClass).collect(Collectors.toList());
            if (Files.exists(MODULES)) {
                try (var others = Files.walk(MODULES)) {
                    others.filter(NamesTest::isClass)
                            .filter(file -> MODULES.relativize(file).toString().contains(MAIN.toString()))
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
