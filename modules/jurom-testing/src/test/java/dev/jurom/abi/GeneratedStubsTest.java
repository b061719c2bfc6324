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
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares the generated stubs with the C compiler: a generated C program prints the C values of the layouts
 * and constants of the stubs.
 */
class GeneratedStubsTest {

    private static final String PROGRAM = """
            #define _GNU_SOURCE
            #include <stddef.h>
            #include <stdio.h>
            #include "%s"

            #define NUMBER(e) printf("%%s\\t%%lld\\n", #e, (long long)(e))
            #define STRING(e) printf("%%s\\t\\"%%s\\"\\n", #e, e)

            int main(void)
            {
            %s    return 0;
            }
            """;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"doca", "ucx", "pmix", "posix"})
    void sizes_alignments_offsets_and_constants_are_those_of_the_c_compiler(String name)
            throws IOException, ReflectiveOperationException {
        var stubs = new GeneratedPackage(name);

        var inC = valuesInC(stubs);

        assertTrue(stubs.claims().size() > 10, () -> "implausibly few: " + stubs.claims());
        assertEquals(List.of(), differences(stubs.claims(), inC));
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

    private Map<String, String> valuesInC(GeneratedPackage stubs) throws IOException {
        var statements = new StringBuilder();
        stubs.claims()
                .forEach((expression, value) -> statements.append(
                        "    %s(%s);%n".formatted(value.startsWith("\"") ? "STRING" : "NUMBER", expression)));
        var source = folder.resolve("values.c");
        var program = folder.resolve("values");
        Files.writeString(source, PROGRAM.formatted(stubs.header(), statements));

        var compile = new ArrayList<>(List.of(
                "cc",
                "-std=gnu11",
                "-DDOCA_ALLOW_EXPERIMENTAL_API",
                "-I",
                Command.ROOT.resolve("headers").toString(),
                source.toString(),
                "-o",
                program.toString()));
        compile.addAll(Command.flags("ucx", "pmix"));
        Command.run(compile);

        var values = new TreeMap<String, String>();
        Command.run(program.toString()).lines().forEach(line -> {
            var columns = line.split("\t");
            values.put(columns[0], columns[1]);
        });
        return values;
    }

    private static List<String> differences(Map<String, String> stubs, Map<String, String> inC) {
        return stubs.entrySet().stream()
                .filter(claim -> !claim.getValue().equals(inC.get(claim.getKey())))
                .map(claim -> "%s is %s in C and %s in the stubs"
                        .formatted(claim.getKey(), inC.get(claim.getKey()), claim.getValue()))
                .toList();
    }
}
