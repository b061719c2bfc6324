// SPDX-License-Identifier: Apache-2.0
package dev.jurom.abi;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads the functions and callbacks from the sources of a generated package, so that no separate list is
 * required. Loading the classes would look up symbols and require libraries.
 */
final class StubSignatures {

    private static final String SNIPPET =
            "\\{@snippet lang=c :\\n(?<declaration>(?:(?!\\*/).)*?)\\n\\s+\\* }\\n\\s+\\*/\\n";

    private static final Pattern FUNCTION = Pattern.compile("(?s)(?:Function descriptor"
            + "|Variadic invoker class) for:\\n\\s+\\* " + SNIPPET
            + "\\s+public static (?:FunctionDescriptor|class) (?<name>\\w+)(?:\\$descriptor| \\{)");

    private static final Pattern CALLBACK =
            Pattern.compile("(?s)/\\*\\*\\n \\* " + SNIPPET + "public class (?<name>\\w+) ");

    private static final Pattern DESCRIPTOR = Pattern.compile("(?s)class (?<name>\\w+) \\{\\n"
            + "(?:(?!class ).)*?FunctionDescriptor (?:DESC|BASE_DESC|\\$DESC) ="
            + " FunctionDescriptor\\.(?<factory>of|ofVoid)\\((?<layouts>.*?)\\);");

    /** Matches the Javadoc of a struct's stub, which shows whether the C name requires a keyword. */
    private static final Pattern TAGGED = Pattern.compile("\\* (?<type>(?:struct|union) (?<name>\\w+)) \\{");

    private final List<StubSignature> signatures = new ArrayList<>();
    private final Map<String, String> tagged = new HashMap<>();

    /** Returns the signatures in a folder of stubs. */
    static List<StubSignature> read(Path folder) throws IOException {
        var reader = new StubSignatures();
        var sources = new ArrayList<String>();
        try (var files = Files.list(folder)) {
            for (var file : files.sorted().toList()) {
                sources.add(Files.readString(file));
            }
        }
        sources.forEach(source -> TAGGED.matcher(source)
                .results()
                .forEach(type -> reader.tagged.put(type.group("name"), type.group("type"))));
        sources.forEach(reader::add);
        return reader.signatures;
    }

    private void add(String source) {
        var descriptors = new HashMap<String, MatchResult>();
        DESCRIPTOR.matcher(source).results().forEach(found -> descriptors.put(found.group("name"), found));
        Stream.of(FUNCTION, CALLBACK)
                .flatMap(kind -> kind.matcher(source).results())
                .filter(stub -> descriptors.containsKey(stub.group("name"))) // not a struct's class
                .map(stub -> signature(stub, descriptors.get(stub.group("name"))))
                .forEach(signatures::add);
    }

    private StubSignature signature(MatchResult stub, MatchResult descriptor) {
        var layouts = new ArrayList<>(Arrays.stream(descriptor.group("layouts").split(","))
                .map(String::strip)
                .filter(layout -> !layout.isEmpty())
                .map(this::inC)
                .toList());
        var result = descriptor.group("factory").equals("ofVoid") ? "void" : layouts.removeFirst();
        return new StubSignature(stub.group("name"), declaration(stub), result, layouts);
    }

    /** Returns a declaration on one line, without the members of structs and enums. */
    private static String declaration(MatchResult stub) {
        return stub.group("declaration")
                .replaceAll("(?m)^\\s*\\* ?", "")
                .replaceAll("\\s*\\{[^}]*\\}", "")
                .replaceAll("\\s+", " ")
                .strip();
    }

    /**
     * Returns {@code C_INT} for {@code doca_h.C_INT}, and the name of the union for
     * {@code doca_data.layout()}.
     */
    private String inC(String layout) {
        if (!layout.endsWith(".layout()")) {
            return layout.substring(layout.indexOf('.') + 1);
        }
        var name = layout.substring(0, layout.indexOf('.'));
        return tagged.getOrDefault(name, name);
    }
}
