// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.Command;
import dev.jurom.fixture.ForkedJvm;
import dev.jurom.fixture.MarkdownPage;
import dev.jurom.runtime.internal.SoftwareInstallation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares the native packages in docs/packaging.md with the files that need them. */
class PackagingPageTest {

    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| [^|]+ \\| ([^|]*\\.so[^|]*) \\| ([^|]+) \\| [^|]+ \\|$");
    private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");
    private static final Pattern NEEDED = Pattern.compile("\\(NEEDED\\).*\\[(.+)]");
    /** Libraries of glibc, and the one with which all others of the software DOCA are linked. */
    private static final Pattern ALWAYS = Pattern.compile("libc\\.so\\.6|ld-linux.*|libdoca_common\\.so\\.3");

    private static Set<String> quoted(String cell) {
        return QUOTED.matcher(cell)
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> needed(Path file) {
        return NEEDED.matcher(Command.run("readelf", "-d", file.toString()))
                .results()
                .map(found -> found.group(1))
                .filter(name -> !ALWAYS.matcher(name).matches())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void each_native_file_needs_the_libraries_that_the_page_lists() throws IOException {
        var files = new ArrayList<Path>();
        var libraries = SoftwareInstallation.current().libraries();
        for (var folder : List.of(libraries, libraries.resolveSibling("bin"))) {
            try (var all = Files.walk(folder)) {
                all.filter(Files::isRegularFile).forEach(files::add);
            }
        }
        var rows = ROW.matcher(Files.readString(Command.ROOT.resolve("docs/packaging.md")))
                .results()
                .toList();
        assertFalse(rows.isEmpty());

        for (var row : rows) {
            var found = new TreeSet<String>();
            for (var name : quoted(row.group(1))) {
                var file = files.stream()
                        .filter(path -> path.getFileName().toString().equals(name))
                        .findFirst()
                        .orElseThrow(() -> new AssertionError(name + " does not exist"));
                found.addAll(needed(file));
                files.remove(file);
            }
            assertEquals(quoted(row.group(2)), found, row.group(1));
        }
        assertEquals(List.of(), files, "add these files to the table");
    }

    @Test
    void its_descriptor_and_its_transformers_are_those_of_tested_projects() throws IOException {
        var page = MarkdownPage.of("docs/packaging.md");

        assertTrue(project("modular/src/main/java/module-info.java")
                .endsWith(withoutIndents(page.fragments("java").getFirst())));
        assertTrue(project("shaded/pom.xml")
                .contains(withoutIndents(page.fragments("xml").getFirst())));
    }

    private static String project(String file) throws IOException {
        return withoutIndents(Files.readString(Command.ROOT.resolve("src/it").resolve(file)));
    }

    private static String withoutIndents(String text) {
        return text.replaceAll("(?m)^ +", "");
    }

    /** A file that is no library hides the library of the system. */
    @Test
    void a_program_requires_openssl_only_for_sha(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("libcrypto.so.3"), "none");
        var words = new ArrayList<>(List.of("env", "-u", "DOCA_UROM_SERVICE_FILE", "LD_LIBRARY_PATH=" + folder));
        words.addAll(ForkedJvm.command(NoOpenSslProgram.class, ForkedJvm.NATIVE_ACCESS));

        var output = Command.run(words);

        assertTrue(output.startsWith("42\n"), output);
        assertTrue(output.contains("libdoca_sha.so.3 cannot be loaded: "), output);
        assertTrue(output.contains("install OpenSSL 3"), output);
    }
}
