// SPDX-License-Identifier: Apache-2.0
package dev.jurom.abi;

import dev.jurom.fixture.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Compares the signatures of a generated package with headers: compiles a program that is valid only if they
 * agree.
 *
 * @param name the last part of the package name, which is the name of its umbrella header
 * @param stubs the folder of the sources
 * @param headers the folder of the DOCA headers
 * @param work a folder for the program
 */
record SignatureCheck(String name, Path stubs, Path headers, Path work) {

    private static final Path UMBRELLAS = Command.ROOT.resolve("jextract");

    /** Warnings about differences that affect the machine code of a call. */
    private static final String PROGRAM = """
            #include "%s"

            #define ONE_OF(type, ...) _Generic(*(__typeof__(type) *)0, __VA_ARGS__, default: 0)
            #define IS_SAME(type, other) __builtin_types_compatible_p(type, other)
            #define IS_BOOL(type) ONE_OF(type, _Bool: 1)
            #define IS_CHAR(type) ONE_OF(type, char: 1, signed char: 1, unsigned char: 1)
            #define IS_SHORT(type) ONE_OF(type, short: 1, unsigned short: 1)
            #define IS_INT(type) ONE_OF(type, int: 1, unsigned int: 1)
            #define IS_LONG(type) ONE_OF(type, long: 1, unsigned long: 1)
            #define IS_LONG_LONG(type) ONE_OF(type, long long: 1, unsigned long long: 1)
            #define IS_FLOAT(type) ONE_OF(type, float: 1)
            #define IS_DOUBLE(type) ONE_OF(type, double: 1)
            enum { POINTER_CLASS = __builtin_classify_type((void *)0) };
            #define IS_POINTER(type) \\
                (__builtin_classify_type(*(__typeof__(type) *)0) == POINTER_CLASS)

            %s""";

    /** Returns the signatures of the stubs. */
    List<StubSignature> signatures() throws IOException {
        return StubSignatures.read(stubs);
    }

    /** Returns the compiler errors about the stubs; empty if they agree with the headers. */
    String conflicts() throws IOException {
        var assertions = signatures().stream().map(StubSignature::assertions).collect(Collectors.joining("\n"));
        var program = Files.writeString(
                work.resolve("signatures.c"), PROGRAM.formatted(UMBRELLAS.resolve(name + ".h"), assertions));
        var words = new ArrayList<>(List.of(
                "cc",
                "-std=gnu11",
                "-w",
                "-fsyntax-only",
                "-DDOCA_ALLOW_EXPERIMENTAL_API",
                "-I",
                headers.toString(),
                program.toString()));
        words.addAll(Command.flags("ucx", "pmix"));
        var result = Command.execute(words);
        return result.exitCode() == 0 ? "" : result.output();
    }
}
