// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jurom.fixture.Command;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the documentation matches the code. */
class DocumentationTest {

    private static final Path SOURCES = Command.ROOT.resolve("src/main/java");
    private static final Path JAVADOC = Command.ROOT.resolve("target/reports/apidocs");
    private static final Pattern SNIPPET = Pattern.compile("\\{@snippet class=\"([\\w.]+)\"");
    private static final Pattern EXPORT = Pattern.compile("(?m)^ {4}exports ([\\w.]+);");
    private static final Pattern HEADER = Pattern.compile("\\b(doca_\\w+\\.h)\\b");
    private static final Path WORKER = Command.ROOT.resolve("modules/jurom-worker/src/main/java");
    private static final Path SERVICE = Command.ROOT.resolve("modules/jurom-service/src/main/java");
    private static final List<Path> MODULES = List.of(SOURCES, WORKER, SERVICE);

    @TempDir
    private Path folder;

    /** Maven has written the Javadoc, without warnings. */
    @Test
    void the_javadoc_says_where_to_start_and_finds_each_c_name() throws IOException {
        assumeTrue(Files.exists(JAVADOC), "there is no Javadoc: run mvn package");

        var landing = Files.readString(JAVADOC.resolve("dev.jurom/module-summary.html"));
        assertTrue(landing.contains("Start with"), "the first page says where to start");
        // Search terms other than packages, types and members.
        var terms = Files.readString(JAVADOC.resolve("tag-search-index.js"));
        for (var name : CNames.read().all()) {
            assertTrue(terms.contains('"' + name + '"'), name);
        }
    }

    @Test
    void the_page_of_each_supported_package_has_all_its_types() throws IOException {
        var missing = new TreeSet<String>();
        for (var sources : MODULES) {
            for (var export : exports(sources)) {
                var directory = sources.resolve(export.replace('.', '/'));
                var page = Files.readString(directory.resolve("package-info.java"));
                try (var files = Files.list(directory)) {
                    files.filter(Files::isRegularFile)
                            .map(file -> file.getFileName().toString().replace(".java", ""))
                            .filter(type -> isPublic(directory.resolve(type + ".java")))
                            .map(type -> export + "." + type)
                            .filter(type -> !Pattern.compile("\\{@link(plain)?\\s+" + type + "\\b")
                                    .matcher(page)
                                    .find())
                            .forEach(missing::add);
                }
            }
        }

        assertEquals(Set.of(), missing, "add each to the map in its package-info.java");
    }

    private static boolean isPublic(Path file) {
        try {
            return Files.readString(file).contains("\npublic ");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The input is the output of a Maven build. */
    @Test
    void the_build_of_the_readme_prints_the_start_of_each_part() throws IOException {
        assertTrue(Files.readString(Command.ROOT.resolve("README.md")).contains("`scripts/build`"));
        var build = Files.readString(Command.ROOT.resolve("scripts/build"));
        assertTrue(build.contains("| show_phases"), build);

        var output = Command.run("bash", "-c", """
            artifacts=true
            root=%s
            export JUROM_READY=$root
            . "$root/scripts/setup"
            SECONDS=61
            show_phases <<END || echo failed
            [INFO] --- maven-compiler-plugin:3.14.1:compile (default-compile) @ jurom ---
            [INFO] Recompiling the module
            [INFO] --- maven-compiler-plugin:3.14.1:testCompile (default-testCompile) @ jurom ---
            [INFO] --- maven-javadoc-plugin:3.12.0:jar (javadoc) @ jurom-cli ---
            [ERROR] no disk
            END
            """.formatted(Command.ROOT.normalize()));

        assertEquals("""
            jurom:   61 s  jurom: compiling
            jurom:   61 s  jurom-cli: writing Javadoc
            [ERROR] no disk
            failed
            """, output);
    }

    /** Without root's rights, a script prints the missing packages: here all of them. */
    @Test
    void the_demo_of_the_readme_installs_only_what_the_build_requires(@TempDir Path bin) throws IOException {
        program(bin.resolve("dpkg-query"), "true");
        program(bin.resolve("id"), "echo 1000");

        var demo = missingPackages(bin, "scripts/demo");
        var tests = missingPackages(bin, "scripts/test");

        assertTrue(demo.containsAll(List.of("gcc", "cmake", "libucx-dev")), demo.toString());
        assertTrue(tests.containsAll(demo), tests.toString());
        for (var name : List.of("clang", "clang-format", "openmpi-bin", "systemd", "tmux", "meson", "libcmocka-dev")) {
            assertFalse(demo.contains(name), demo.toString());
            assertTrue(tests.contains(name), tests.toString());
        }
    }

    private static void program(Path file, String command) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + command + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static Set<String> missingPackages(Path bin, String script) {
        var result = Command.execute(List.of(
                "env", "-u", "JUROM_READY", "PATH=" + bin + ":" + System.getenv("PATH"), Command.ROOT + "/" + script));
        var install =
                Pattern.compile("apt-get install --no-install-recommends (.*)").matcher(result.output());
        assertTrue(result.exitCode() == 1 && install.find(), result.output());
        return Set.of(install.group(1).split(" "));
    }

    @Test
    void the_readme_names_headers_of_doca_that_are_not_part_of_the_software_doca() throws IOException {
        for (var page : List.of("README.md", "docs/porting.md")) {
            var names = HEADER.matcher(Files.readString(Command.ROOT.resolve(page)))
                    .results()
                    .map(found -> found.group(1))
                    .filter(name ->
                            !Files.exists(Command.ROOT.resolve("headers").resolve(name)))
                    .collect(Collectors.toCollection(TreeSet::new));
            assertEquals(Set.of("doca_clock.h", "doca_comch.h", "doca_mmap_advise.h"), names, page);
        }
    }

    @Test
    void every_snippet_of_the_library_is_part_of_a_test_that_passes_in_the_module_too() throws IOException {
        var classes = new TreeSet<String>();
        try (var files = Files.walk(SOURCES)) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                SNIPPET.matcher(Files.readString(file))
                        .results()
                        .map(snippet -> snippet.group(1))
                        .forEach(classes::add);
            }
        }
        assertTrue(classes.contains("dev.jurom.FacadeExampleTest"), classes::toString);

        Command.run(ForkedTests.commandInModule(List.copyOf(classes), folder));
    }

    private static List<String> exports(Path sources) throws IOException {
        return EXPORT.matcher(Files.readString(sources.resolve("module-info.java")))
                .results()
                .map(found -> found.group(1))
                .toList();
    }
}
