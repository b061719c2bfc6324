// SPDX-License-Identifier: Apache-2.0
package dev.jurom.abi;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A function declared in a header.
 *
 * @param name the name
 * @param header the header, relative to the folder of headers
 * @param inline whether it is defined in the header and exported by no library
 */
record HeaderFunction(String name, String header, boolean inline) {

    private static final Pattern NO_CODE = Pattern.compile(
            "(?s)/\\*.*?\\*/|__attribute__\\(\\(\\w+\\)\\)|(?m)^\\s*#(?:[^\\n]*\\\\\\n)*[^\\n]*$|extern \"C\" \\{");

    private static final Pattern BLOCK = Pattern.compile("\\{[^{}]*\\}");

    /** Matches a declaration, or a definition without its body. */
    private static final Pattern FUNCTION = Pattern.compile("(?s)[\\w\\s*]+?\\b(\\w+)\\(.*");

    /** Returns the functions of all headers in a folder, in the order of the headers. */
    static List<HeaderFunction> read(Path headers) throws IOException {
        var functions = new ArrayList<HeaderFunction>();
        for (var header : files(headers)) {
            var text = withoutBodies(NO_CODE.matcher(Files.readString(header)).replaceAll(""));
            for (var statement : text.split(";")) {
                var function = FUNCTION.matcher(statement.strip());
                if (function.matches() && !statement.strip().startsWith("typedef")) {
                    functions.add(new HeaderFunction(
                            function.group(1),
                            headers.relativize(header).toString(),
                            statement.contains("static inline")));
                }
            }
        }
        return functions;
    }

    /** Returns all headers in a folder. */
    static List<Path> files(Path headers) throws IOException {
        try (var files = Files.walk(headers)) {
            return files.filter(file -> file.toString().endsWith(".h")).sorted().toList();
        }
    }

    /** Replaces blocks with semicolons, starting with the innermost ones. */
    private static String withoutBodies(String text) {
        var left = text;
        for (var block = BLOCK.matcher(left); block.find(); block = BLOCK.matcher(left)) {
            left = block.replaceAll(";");
        }
        return left.replace("}", "");
    }
}
