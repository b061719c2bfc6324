// SPDX-License-Identifier: Apache-2.0
package dev.jurom.abi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jurom.core.AccessFlag;
import dev.jurom.core.ContextState;
import dev.jurom.core.DocaError;
import dev.jurom.core.EventMode;
import dev.jurom.core.PciFunction;
import dev.jurom.core.ShaAlgorithm;
import dev.jurom.core.SubmitFlag;
import dev.jurom.fixture.Command;
import dev.jurom.runtime.LogLevel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToIntFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
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

    /** Constants whose name in C is not the prefix and the name in Java. */
    private static final Map<String, String> SHORT_NAMES = Map.of(
            "DOCA_ERROR_SUCCESS", "DOCA_SUCCESS",
            "DOCA_LOG_LEVEL_CRITICAL", "DOCA_LOG_LEVEL_CRIT",
            "DOCA_PCI_FUNC_TYPE_PHYSICAL", "DOCA_PCI_FUNC_TYPE_PF",
            "DOCA_PCI_FUNC_TYPE_VIRTUAL", "DOCA_PCI_FUNC_TYPE_VF",
            "DOCA_PCI_FUNC_TYPE_SCALABLE", "DOCA_PCI_FUNC_TYPE_SF");

    /** Matches comments, strings and characters. */
    private static final Pattern NO_CODE =
            Pattern.compile("(?s)/\\*.*?\\*/|//[^\n]*|\"{3}.*?\"{3}|\"(?:\\\\.|[^\"\\\\])*+\"|'(?:\\\\.|[^'\\\\])'");

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
        compile(compiler, stubs.header(), stubs.claims());
    }

    private static boolean isInstalled(String program) {
        return Command.execute(List.of("sh", "-c", "command -v " + program)).exitCode() == 0;
    }

    /** The Java enums have no stubs: a constant has the value of its order, its bit or its code. */
    @Test
    void enums_have_the_constants_and_values_of_the_doca_headers() throws IOException {
        var values = new TreeMap<String, String>();
        add(values, "DOCA_CTX_STATE_", ContextState.values(), ContextState::ordinal);
        add(values, "DOCA_PE_EVENT_MODE_", EventMode.values(), EventMode::ordinal);
        add(values, "DOCA_SHA_ALGORITHM_", ShaAlgorithm.values(), ShaAlgorithm::ordinal);
        add(values, "DOCA_PCI_FUNC_TYPE_", PciFunction.Kind.values(), PciFunction.Kind::ordinal);
        add(values, "DOCA_LOG_LEVEL_", LogLevel.values(), LogLevel::code);
        add(values, "DOCA_ERROR_", DocaError.values(), DocaError::code);
        add(values, "DOCA_ACCESS_FLAG_", AccessFlag.values(), AccessFlag::bit);
        add(values, "DOCA_TASK_SUBMIT_FLAG_", SubmitFlag.values(), SubmitFlag::bit);
        values.putAll(Map.of("DOCA_ACCESS_FLAG_LOCAL_READ_ONLY", "0", "DOCA_TASK_SUBMIT_FLAG_NONE", "0"));

        assertEquals(declaredConstants(values.keySet()), values.keySet());
        compile("cc", Command.ROOT.resolve("jextract/doca.h"), values);
    }

    private static <E extends Enum<E>> void add(
            Map<String, String> values, String prefix, E[] constants, ToIntFunction<E> value) {
        for (var constant : constants) {
            var name = SHORT_NAMES.getOrDefault(prefix + constant, prefix + constant);
            values.put(name, Integer.toString(value.applyAsInt(constant)));
        }
    }

    /** Returns the constants of all enums of the headers that have one of the given constants. */
    private static Set<String> declaredConstants(Set<String> names) throws IOException {
        var constants = new TreeSet<String>();
        for (var header : HeaderFunction.files(Command.ROOT.resolve("headers"))) {
            var text = Files.readString(header).replaceAll("(?s)/\\*.*?\\*/", "");
            Pattern.compile("enum \\w+ \\{([^}]*)\\}").matcher(text).results().forEach(found -> {
                var members = Pattern.compile("(?m)^\\s*(\\w+)")
                        .matcher(found.group(1))
                        .results()
                        .map(match -> match.group(1))
                        .toList();
                if (!Collections.disjoint(members, names)) {
                    constants.addAll(members);
                }
            });
        }
        return constants;
    }

    /** A symbol is used if code outside of its stub names it: code of this repository, or the stub of another type. */
    @Test
    void every_listed_symbol_is_used() throws IOException {
        var used = new HashSet<String>();
        for (var folder : List.of("src", "modules", "jextract/java")) {
            try (var files = Files.walk(Command.ROOT.resolve(folder))) {
                var sources = files.filter(file -> file.toString().endsWith(".java"));
                for (var source : sources.filter(file -> !file.toString().contains("/target/"))
                        .toList()) {
                    used.addAll(names(source));
                }
            }
        }
        var unused = new TreeSet<String>();
        for (var name : List.of("doca", "ucx", "pmix", "posix")) {
            unused.addAll(unused(name, used));
        }

        assertEquals(Set.of(), unused, "remove these symbols from jextract/*.includes, and run scripts/jextract");
    }

    private static Set<String> unused(String name, Set<String> used) throws IOException {
        var listed = Files.readAllLines(Command.ROOT.resolve("jextract/" + name + ".includes")).stream()
                .filter(line -> line.startsWith("--include-"))
                .map(line -> line.substring(line.indexOf(' ') + 1))
                .filter(symbol -> !used.contains(symbol))
                .collect(Collectors.toCollection(TreeSet::new));
        try (var files = Files.list(Command.ROOT.resolve("jextract/generated/dev/jurom/abi/" + name))) {
            for (var stub : files.toList()) {
                var own = stub.getFileName().toString().replace(".java", "");
                var names = names(stub);
                listed.removeIf(symbol -> !symbol.equals(own) && isTypeOf(stub, symbol) && names.contains(symbol));
            }
        }
        return listed;
    }

    /** Returns whether a symbol has a stub of its own beside this one. */
    private static boolean isTypeOf(Path stub, String symbol) {
        return Files.exists(stub.resolveSibling(symbol + ".java"));
    }

    private static Set<String> names(Path source) throws IOException {
        var code = NO_CODE.matcher(Files.readString(source)).replaceAll("");
        return Set.copyOf(List.of(code.split("\\W+")));
    }

    private void compile(String compiler, Path header, Map<String, String> claims) throws IOException {
        var source = folder.resolve("values.c");
        Files.writeString(source, SOURCE.formatted(header, assertions(claims)));
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
