// SPDX-License-Identifier: Apache-2.0
package dev.jurom.abi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jurom.fixture.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Compares the generated stubs with C compilers: a generated C file asserts the values that the stubs have for
 * layouts and constants. It is compiled and never run, so a cross compiler suffices for another architecture.
 */
class GeneratedStubsTest {

    private static final String SOURCE = """
            #define _GNU_SOURCE
            #include <stddef.h>
            #include "%s"

            %s""";

    @TempDir
    private Path folder;

    /** @param compiler the compiler of this machine, or one for BlueField that {@code scripts/test --long} installs */
    @ParameterizedTest
    @CsvSource({
        "cc, doca",
        "cc, ucx",
        "cc, pmix",
        "cc, posix",
        "aarch64-linux-gnu-gcc, doca",
        "aarch64-linux-gnu-gcc, ucx",
        "aarch64-linux-gnu-gcc, pmix",
        "aarch64-linux-gnu-gcc, posix"
    })
    void sizes_alignments_offsets_and_constants_are_those_of_the_c_compiler(String compiler, String name)
            throws IOException, ReflectiveOperationException {
        assumeTrue(isInstalled(compiler), () -> compiler + " is not installed");
        var stubs = new GeneratedPackage(name);

        assertTrue(stubs.claims().size() > 10, () -> "implausibly few: " + stubs.claims());
        compile(compiler, stubs);
    }

    private static boolean isInstalled(String program) {
        return Command.execute(List.of("sh", "-c", "command -v " + program)).exitCode() == 0;
    }

    @Test
    void every_enum_constant_and_struct_of_the_doca_headers_has_its_stub()
            throws IOException, ReflectiveOperationException {
        var claims = new GeneratedPackage("doca").claims();
        var missing = new ArrayList<String>();

        for (var header : headers()) {
            var text = Files.readString(header).replaceAll("(?s)/\\*.*?\\*/", "");
            var enums = Pattern.compile("enum \\w+ \\{([^}]*)\\}").matcher(text);
            while (enums.find()) {
                Pattern.compile("(?m)^\\s*(\\w+)")
                        .matcher(enums.group(1))
                        .results()
                        .map(match -> match.group(1))
                        .filter(constant -> !claims.containsKey("(int)" + constant))
                        .forEach(missing::add);
            }
            Pattern.compile("(?m)^(?:struct|union) \\w+ (?=\\{)")
                    .matcher(text)
                    .results()
                    .map(match -> match.group().strip())
                    .filter(type -> !claims.containsKey("sizeof(" + type + ")"))
                    .forEach(missing::add);
        }

        assertEquals(List.of(), missing);
    }

    /**
     * The compared packages, without the argument parser, whose library Java programs do not load, and without the
     * protocol of compression, which an artifact of its own implements.
     */
    private static List<Path> headers() throws IOException {
        try (var files = Files.walk(Command.ROOT.resolve("headers"))) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> !file.endsWith("doca_argp.h") && !file.endsWith("urom_compress.h"))
                    .sorted()
                    .toList();
        }
    }

    private void compile(String compiler, GeneratedPackage stubs) throws IOException {
        var source = folder.resolve("values.c");
        Files.writeString(source, SOURCE.formatted(stubs.header(), assertions(stubs.claims())));
        var compile = new ArrayList<>(List.of(
                compiler,
                "-std=gnu11",
                "-fsyntax-only",
                "-DDOCA_ALLOW_EXPERIMENTAL_API",
                "-I",
                Command.ROOT.resolve("headers").toString(),
                source.toString()));
        compile.addAll(Command.flags("ucx", "pmix"));

        Command.run(compile);
    }

    private static String assertions(Map<String, String> claims) {
        var text = new StringBuilder();
        claims.forEach((expression, value) -> text.append(
                value.startsWith("\"")
                        ? "_Static_assert(__builtin_strcmp(%s, %s) == 0, \"%1$s differs from the stubs\");%n"
                                .formatted(expression, value)
                        : "_Static_assert(%s == %s, \"%1$s is %2$s in the stubs\");%n".formatted(expression, value)));
        return text.toString();
    }
}
