// SPDX-License-Identifier: Apache-2.0
package dev.jurom.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.Command;
import java.io.IOException;
import java.lang.module.ModuleDescriptor.Exports;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that the architecture page matches the code. */
class ArchitecturePageTest {

    private static final int MIN_PATHS = 15; // minimum number of files in the page

    private final ArchitecturePage page = new ArchitecturePage();

    @Test
    void every_path_in_the_page_exists() {
        var missing = page.paths().stream()
                .filter(path -> Files.notExists(Command.ROOT.resolve(path)))
                .toList();

        assertEquals("[]", missing.toString());
        assertTrue(page.paths().size() >= MIN_PATHS, () -> "too few: " + page.paths());
    }

    /** Tests that each file of a worked example takes part in the change, and that a change takes few files. */
    @ParameterizedTest
    @CsvSource({
        "A field of SPAWN, (?i)group|gid, 10",
        "An option of one command, (?i)timeout|deadline, 5",
        "A compression format, (?i)lz4, 8"
    })
    void the_files_of_a_worked_example_contain_it(String heading, String feature, int mostFiles) throws IOException {
        var files = page.exampleFiles(heading);
        assertTrue(!files.isEmpty() && files.size() <= mostFiles, () -> heading + ": " + files);
        for (var file : files) {
            var text = Files.readString(Command.ROOT.resolve(file));
            assertTrue(Pattern.compile(feature).matcher(text).find(), () -> file + " does not contain " + feature);
        }
    }

    @Test
    void the_modules_export_the_packages_that_the_page_supports_and_no_others() {
        var exported = ModuleFinder.of(Command.LIBRARY, Command.WORKER, Command.SERVICE).findAll().stream()
                .flatMap(module -> module.descriptor().exports().stream())
                .filter(exports -> !exports.isQualified())
                .map(Exports::source)
                .collect(Collectors.toCollection(TreeSet::new));

        var supported = page.packages().stream()
                .filter(ArchitecturePage.Row::supported)
                .map(ArchitecturePage.Row::name)
                .collect(Collectors.toCollection(TreeSet::new));

        assertEquals(exported, supported);
    }
}
