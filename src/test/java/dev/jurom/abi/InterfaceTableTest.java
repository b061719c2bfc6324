// SPDX-License-Identifier: Apache-2.0
package dev.jurom.abi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Verifies that every function of the C library has a Java member, and that a page lists them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InterfaceTableTest {

    private static final Path HEADERS = Command.ROOT.resolve("headers");
    private static final Path SOURCES = Command.ROOT.resolve("src/main/java");
    private static final Path PAGE = Command.ROOT.resolve("docs/c-to-java.md");
    private static final Path REASONS = Command.ROOT.resolve("src/test/resources/functions-without-java-form.txt");
    private static final int ALL_HEADERS = 400; // lower bound of the number of functions

    /** Matches a function in the list of prototypes of gcc. */
    private static final Pattern PROTOTYPE =
            Pattern.compile("(?m)^/\\* (?<file>[^:]+):\\d+:NC \\*/ extern .*?(?<name>\\w+) \\(");

    private MemberUses uses;

    @TempDir
    private Path folder;

    @BeforeAll
    void readWhatIsCompiled() {
        uses = new MemberUses();
    }

    @Test
    void every_function_has_a_java_form_that_a_test_uses_or_a_reason() throws IOException {
        assertEquals("", problems(HEADERS, SOURCES));
        assertTrue(HeaderFunction.read(HEADERS).size() >= ALL_HEADERS, "too few functions were found");
    }

    @Test
    void the_table_has_each_function_that_the_compiler_finds_in_the_headers() throws IOException {
        var includes = new StringBuilder();
        for (var header : HeaderFunction.files(HEADERS)) {
            includes.append("#include <%s>%n".formatted(HEADERS.relativize(header)));
        }
        var program = Files.writeString(folder.resolve("program.c"), includes);
        var prototypes = folder.resolve("prototypes");
        var words = new ArrayList<>(List.of("gcc", "-std=gnu11", "-w", "-fsyntax-only"));
        words.addAll(List.of("-DDOCA_ALLOW_EXPERIMENTAL_API", "-I", HEADERS.toString()));
        words.addAll(List.of(program.toString(), "-aux-info", prototypes.toString()));
        Command.run(words);

        var found = PROTOTYPE
                .matcher(Files.readString(prototypes))
                .results()
                .filter(match -> Path.of(match.group("file")).startsWith(HEADERS))
                .map(match -> match.group("name"))
                .collect(Collectors.toCollection(TreeSet::new));
        assertTrue(found.size() >= ALL_HEADERS, "too few functions were found");
        HeaderFunction.read(HEADERS).forEach(function -> found.remove(function.name()));
        assertEquals(Set.of(), found);
    }

    @Test
    void the_page_matches_headers_and_javadoc() throws IOException {
        var page = table(HEADERS, SOURCES).page();
        if (Boolean.getBoolean("jurom.write")) {
            Files.writeString(PAGE, page);
        }

        var committed = Files.readString(PAGE);
        assertEquals("", linesOnlyIn(page, committed), "missing lines: regenerate the page with -Djurom.write=true");
        assertEquals("", linesOnlyIn(committed, page), "outdated lines: regenerate the page with -Djurom.write=true");
        assertTrue(
                page.equals(committed), "the order of the lines differs: regenerate the page with -Djurom.write=true");
    }

    private static String linesOnlyIn(String page, String other) {
        var lines = other.lines().collect(Collectors.toSet());
        return page.lines().filter(line -> !lines.contains(line)).collect(Collectors.joining("\n"));
    }

    @Test
    void a_new_function_of_a_header_is_reported() throws IOException {
        var headers = ChangedCopy.of(
                HEADERS,
                folder.resolve("headers"),
                "doca_pe.h",
                "DOCA_STABLE doca_error_t doca_pe_create(",
                "int doca_pe_new_one(void);\nDOCA_STABLE doca_error_t doca_pe_create(");

        assertEquals("doca_pe_new_one (doca_pe.h) has no Java member and no reason", problems(headers, SOURCES));
    }

    @Test
    void javadoc_of_an_undeclared_function_is_reported() throws IOException {
        var sources = ChangedCopy.of(
                SOURCES,
                folder.resolve("sources"),
                "dev/jurom/core/Buffer.java",
                "Stands for {@code doca_buf_get_len}",
                "Stands for {@code doca_buf_get_length}");

        assertEquals("""
                doca_buf_get_len (doca_buf.h) has no Java member and no reason
                the Javadoc mentions doca_buf_get_length, which is not declared in any header""", problems(HEADERS, sources));
    }

    @Test
    void javadoc_of_a_function_that_is_never_called_is_reported() throws IOException {
        var sources = ChangedCopy.of(
                SOURCES,
                folder.resolve("sources"),
                "dev/jurom/core/DocaError.java",
                "In place of {@code doca_error_get_descr}",
                "Stands for {@code doca_error_get_descr}");

        assertEquals(
                "doca_error_get_descr is never called: its Javadoc must say \"in place of\"",
                problems(HEADERS, sources));
    }

    @Test
    void a_member_that_no_test_uses_is_reported() throws IOException {
        var sources = ChangedCopy.of(
                SOURCES,
                folder.resolve("sources"),
                "dev/jurom/core/Buffer.java",
                "public long length()",
                "public long neverUsed()");

        assertEquals("doca_buf_get_len is not tested: Buffer.neverUsed is used by no test", problems(HEADERS, sources));
    }

    private String problems(Path headers, Path sources) throws IOException {
        return String.join("\n", table(headers, sources).problems(headers));
    }

    private InterfaceTable table(Path headers, Path sources) throws IOException {
        return new InterfaceTable(headers, sources, REASONS, Command.ROOT.resolve("docs/not-supported.md"), uses);
    }
}
