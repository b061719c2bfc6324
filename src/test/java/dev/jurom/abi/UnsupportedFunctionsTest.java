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

/** Tests that the documentation lists the unsupported functions of the software libraries. */
class UnsupportedFunctionsTest {

    private static final Path SOURCES = Command.ROOT.resolve("src/main/c");

    /** Matches a function definition in C: the name and the final return statement. */
    private static final Pattern DEFINITION = Pattern.compile(
            "(?ms)^\\w[^\\n;#]*?\\b(\\w+)\\([^;{}]*\\)\\n\\{\\n((?:(?!^\\}).)*?)" + "return ([^;]*);\\n\\}");

    /** Matches a status or a function call, optionally after the check of an argument. */
    private static final Pattern RETURNED = Pattern.compile("(?:[^?]*\\? DOCA_ERROR_\\w+ : )?(\\w+)(?:\\([^()]*\\))?");

    /** Matches a row of the page. */
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `(doca_\\w+)` \\|");

    @Test
    void the_documentation_lists_the_functions_that_return_not_supported() throws IOException {
        var page = Files.readString(Command.ROOT.resolve("docs/not-supported.md"));
        var listed =
                ROW.matcher(page).results().map(match -> match.group(1)).collect(Collectors.toCollection(TreeSet::new));
        var unsupported = unsupported();
        unsupported.retainAll(declared());

        System.out.printf(
                "%d functions declared, %d of them return NOT_SUPPORTED%n",
                declared().size(), unsupported.size());
        assertEquals(listed, unsupported);
    }

    private static Set<String> declared() throws IOException {
        return HeaderFunction.read(Command.ROOT.resolve("headers")).stream()
                .filter(function -> !function.inline())
                .map(HeaderFunction::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns functions of the C sources that cannot succeed, apart from argument checks. */
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
     * Returns whether an expression is always NOT_SUPPORTED: the status itself, or a call of such a function.
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
