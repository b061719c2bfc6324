// SPDX-License-Identifier: Apache-2.0
package dev.jurom.abi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jurom.fixture.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The documentation lists the functions that the software libraries have and do not support. */
class UnsupportedFunctionsTest {

    private static final Path SOURCES = Command.ROOT.resolve("src/main/c");

    /** A definition in a C file: the name, and what it returns at its end. */
    private static final Pattern DEFINITION = Pattern.compile(
            "(?ms)^\\w[^\\n;#]*?\\b(\\w+)\\([^;{}]*\\)\\n\\{\\n((?:(?!^\\}).)*?)" + "return ([^;]*);\\n\\}");

    /** A status, or the call of a function; perhaps after the refusal of a bad argument. */
    private static final Pattern RETURNED = Pattern.compile("(?:[^?]*\\? DOCA_ERROR_\\w+ : )?(\\w+)(?:\\([^()]*\\))?");

    /** A row of the page that lists them. */
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `(doca_\\w+)` \\|");

    @Test
    void functions_that_answer_not_supported_are_those_that_the_documentation_lists() throws IOException {
        var page = Files.readString(Command.ROOT.resolve("docs/not-supported.md"));
        var listed =
                ROW.matcher(page).results().map(match -> match.group(1)).collect(Collectors.toCollection(TreeSet::new));
        var unsupported = unsupported();
        unsupported.retainAll(declared());

        System.out.printf(
                "%d functions declared, %d of them answer NOT_SUPPORTED%n",
                declared().size(), unsupported.size());
        assertEquals(listed, unsupported);
    }

    private static Set<String> declared() throws IOException {
        return HeaderFunction.read(Command.ROOT.resolve("headers")).stream()
                .filter(function -> !function.inline())
                .map(HeaderFunction::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Functions of the C sources that, whatever they check first, have no way to succeed. */
    private static Set<String> unsupported() throws IOException {
        var names = new TreeSet<String>();
        for (var source : sources()) {
            var inFile = new TreeSet<String>();
            DEFINITION
                    .matcher(Files.readString(source))
                    .results()
                    .filter(match -> !match.group(2).contains("DOCA_SUCCESS"))
                    .filter(match -> isNotSupported(match.group(3), inFile))
                    .forEach(match -> inFile.add(match.group(1)));
            names.addAll(inFile);
        }
        return names;
    }

    /**
     * What is returned is the status itself, or what a function above returns that has no other.
     */
    private static boolean isNotSupported(String returned, Set<String> unsupported) {
        var value = RETURNED.matcher(returned);
        return value.matches()
                && (value.group(1).equals("DOCA_ERROR_NOT_SUPPORTED") || unsupported.contains(value.group(1)));
    }

    private static List<Path> sources() throws IOException {
        try (var files = Files.walk(SOURCES)) {
            return files.filter(file -> file.toString().endsWith(".c")).sorted().toList();
        }
    }
}
