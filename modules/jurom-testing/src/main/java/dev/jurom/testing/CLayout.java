// SPDX-License-Identifier: Apache-2.0
package dev.jurom.testing;

import dev.jurom.plugin.Field;
import dev.jurom.plugin.StructCodec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The layout of C structs according to the C compiler, to compare codecs with:
 *
 * {@snippet class="dev.jurom.testing.CLayoutTest" region="layout"}
 *
 * <p>This class is immutable and thread-safe.
 */
public final class CLayout {

    private static final String PROGRAM = """
            #define _GNU_SOURCE
            #include <stddef.h>
            #include <stdint.h>
            #include <stdio.h>
            %s
            int main(void)
            {
            %s    return 0;
            }
            """;

    private final String declarations;
    private final List<String> flags;

    private CLayout(String declarations, List<String> flags) {
        this.declarations = declarations;
        this.flags = List.copyOf(flags);
    }

    /**
     * Returns the layout of the structs that a C text declares. The fixed-width integers of
     * {@code stdint.h} are available.
     *
     * @param declarations the text, such as {@code #include "my_plugin.h"}
     * @param flags arguments for the compiler, such as {@code -I} with the directory of that header
     * @return the layout of all of them
     */
    public static CLayout of(String declarations, String... flags) {
        return new CLayout(declarations, List.of(flags));
    }

    /**
     * Compares a codec with the struct of its name: size and alignment, and the offset and size of
     * each field that is not inline. Compiles and runs a program, which blocks for at most two
     * minutes.
     *
     * @param codec the codec, which must use the names of C
     * @throws AssertionError if they differ, with all differences; or if compiling fails, with the
     *         output of the compiler
     */
    public void requireSame(StructCodec<?> codec) {
        var inJava = claims("struct " + codec.name(), codec);
        var inC = valuesInC(inJava);
        var differences = new ArrayList<String>();
        inJava.forEach((expression, value) -> {
            if (!value.equals(inC.get(expression))) {
                differences.add(expression + " is " + inC.get(expression) + " in C and " + value + " in the codec");
            }
        });
        if (!differences.isEmpty()) {
            throw new AssertionError(String.join("\n", differences));
        }
    }

    private static Map<String, Long> claims(String type, StructCodec<?> codec) {
        var claims = new LinkedHashMap<String, Long>();
        claims.put("sizeof(" + type + ")", codec.size());
        claims.put("_Alignof(" + type + ")", codec.alignment());
        for (Field<?> field : codec.fields()) {
            if (field.size() > 0) {
                claims.put("offsetof(" + type + ", " + field.name() + ")", field.offset());
                claims.put("sizeof(((" + type + " *)0)->" + field.name() + ")", field.size());
            }
        }
        return claims;
    }

    private Map<String, Long> valuesInC(Map<String, Long> claims) {
        var expressions = List.copyOf(claims.keySet());
        var statements = new StringBuilder();
        expressions.forEach(expression -> statements
                .append("    printf(\"%zu\\n\", (size_t)(")
                .append(expression)
                .append("));\n"));
        try (var program = CProgram.compile(PROGRAM.formatted(declarations, statements), flags)) {
            var lines = program.run(List.of());
            var values = new LinkedHashMap<String, Long>();
            for (var i = 0; i < expressions.size(); i++) {
                values.put(expressions.get(i), Long.parseLong(lines.get(i)));
            }
            return values;
        }
    }
}
