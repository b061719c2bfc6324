// SPDX-License-Identifier: Apache-2.0
package dev.jurom.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.Command;
import java.lang.module.ModuleDescriptor.Exports;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

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
