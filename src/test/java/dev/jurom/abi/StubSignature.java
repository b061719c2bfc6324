// SPDX-License-Identifier: Apache-2.0
package dev.jurom.abi;

import java.util.List;
import java.util.regex.Pattern;

/**
 * A function or a callback type according to a generated stub.
 *
 * @param name the name in C
 * @param declaration the declaration in the Javadoc of the stub, without semicolon
 * @param result the return layout of the descriptor, such as {@code C_INT} or {@code union doca_data}, or
 *     {@code void}
 * @param arguments the layouts of the arguments, without variable ones
 */
record StubSignature(String name, String declaration, String result, List<String> arguments) {

    /** Matches the return type, the name and the arguments of a declaration. */
    private static final Pattern PARTS =
            Pattern.compile("(?:extern |typedef )?(.*?)(?:\\(\\*?\\w+\\)|\\b\\w+)\\(([^()]*)\\)");

    private static final Pattern NAME_OF_ARGUMENT = Pattern.compile("\\b\\w+(?=(\\[\\d*])?$)");

    private boolean isCallback() {
        return declaration.startsWith("typedef ");
    }

    /**
     * Returns C declarations that compile only if the headers agree: the declaration, which must not
     * conflict, and an assertion for each layout of the descriptor.
     */
    String assertions() {
        var parts = PARTS.matcher(declaration);
        if (!parts.matches()) {
            return "#error the stub of " + name + " has no declaration: " + declaration + "\n";
        }
        var types = List.of(parts.group(2).split(", "));
        var text = new StringBuilder();
        text.append(
                isCallback()
                        ? "typedef %1$s %1$s_of_headers;%n".formatted(name)
                        : "typedef __typeof__(%1$s) %1$s_of_headers;%n".formatted(name));
        text.append(declaration.replace("()", "(void)")).append(";\n");
        text.append(assertion(result, parts.group(1).strip(), "the result"));
        for (var i = 0; i < arguments.size(); i++) {
            var type = i < types.size() ? typeOf(types.get(i)) : "void";
            text.append(assertion(arguments.get(i), type, "argument " + (i + 1)));
        }
        var inC = types.stream()
                .filter(type -> !type.isEmpty() && !type.equals("..."))
                .count();
        text.append("_Static_assert(%d == %d, \"%s: number of arguments in C and in the stub\");%n"
                .formatted(inC, arguments.size(), name));
        return text.toString();
    }

    /** Arguments of callbacks have no names. */
    private String typeOf(String argument) {
        return isCallback() ? argument : NAME_OF_ARGUMENT.matcher(argument).replaceFirst("");
    }

    private String assertion(String layout, String type, String what) {
        var test = layout.startsWith("C_")
                ? "IS_%s(%s)".formatted(layout.substring(2), type)
                : "IS_SAME(%s, %s)".formatted(type, layout);
        return "_Static_assert(%s, \"%s: %s is %s in the stub\");%n".formatted(test, name, what, layout);
    }
}
