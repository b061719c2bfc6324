// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import dev.jurom.fixture.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The C names in the Javadoc of supported packages, with links to their Java counterparts. */
final class CNames {

    private static final Path SOURCES = Command.ROOT.resolve("src/main/java");
    private static final Pattern EXPORTS = Pattern.compile("(?m)^ {4}exports ([\\w.]+);");
    private static final Pattern COMMENT =
            Pattern.compile("(?s)\\n( *)/\\*\\*(.*?)\\*/\\s+((?:@\\w+(?:\\([^)]*\\))?\\s+)*)([^;{]*)");
    private static final Pattern C_NAME =
            Pattern.compile("\\{@code\\s+(?:struct |enum )?((?:doca|ucp|DOCA|UROM_WORKER|UROM_RDMO)_\\w+?)\\}");
    private static final Pattern TYPE = Pattern.compile("\\b(?:class|interface|record|enum) \\w+");
    private static final Pattern METHOD = Pattern.compile("(\\w+)\\s*\\(");

    /** Returns links to the Java counterparts of a name. */
    private final SortedMap<String, TreeSet<String>> links = new TreeMap<>();

    /** Parses the sources of all packages that the module exports. */
    static CNames read() throws IOException {
        var names = new CNames();
        var exports = EXPORTS.matcher(Files.readString(SOURCES.resolve("module-info.java")));
        while (exports.find()) {
            var folder = SOURCES.resolve(exports.group(1).replace('.', '/'));
            try (var files = Files.list(folder)) {
                for (var file : files.filter(CNames::isClass).sorted().toList()) {
                    var type = file.getFileName().toString().replace(".java", "");
                    names.add(exports.group(1) + "." + type, type, Files.readString(file));
                }
            }
        }
        return names;
    }

    private static boolean isClass(Path file) {
        return file.toString().endsWith(".java") && !file.endsWith("package-info.java");
    }

    private void add(String name, String type, String source) {
        if (!source.contains("\npublic ")) {
            return;
        }
        var comments = COMMENT.matcher(source);
        while (comments.find()) {
            var found = C_NAME.matcher(comments.group(2));
            while (found.find()) {
                var member = member(comments.group(1).length(), type, comments.group(4));
                links.computeIfAbsent(found.group(1), key -> new TreeSet<>()).add(name + member);
            }
        }
    }

    /** Returns the name of a member in a link; private and nested members are represented by their type. */
    private static String member(int indent, String type, String declaration) {
        if (indent != 4
                || declaration.startsWith("private ")
                || TYPE.matcher(declaration).find()) {
            return "";
        }
        var method = METHOD.matcher(declaration);
        return !method.find()
                        || method.group(1).equals(type)
                        || declaration.contains("=")
                        || !declaration.startsWith("p")
                ? ""
                : "#" + method.group(1);
    }

    /** Returns the C names. */
    Iterable<String> all() {
        return links.keySet();
    }

    /** Returns a Javadoc page on which the search finds each name. */
    String page() {
        var rows = links.entrySet().stream()
                .map(row -> "<tr><td><code>{@index " + row.getKey()
                        + "}</code></td>\n<td>"
                        + row.getValue().stream()
                                .map(link -> "{@link " + link + "}")
                                .collect(Collectors.joining(",\n"))
                        + "</td></tr>\n")
                .collect(Collectors.joining());
        return """
                <!DOCTYPE html>
                <!-- SPDX-License-Identifier: Apache-2.0 -->
                <!-- Made by CNamesTest, from the Javadoc of the supported packages. -->
                <html lang="en">
                <head>
                <title>C names</title>
                </head>
                <body>
                <h1>C names</h1>
                <p>What stands in Java for a name of the C interface. The search field finds them, too.
                </p>
                <table>
                <caption>From C to Java</caption>
                <tr><th>C</th><th>Java</th></tr>
                """ + rows + """
                </table>
                </body>
                </html>
                """;
    }
}
