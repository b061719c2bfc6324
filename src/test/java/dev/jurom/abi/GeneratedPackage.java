// SPDX-License-Identifier: Apache-2.0
package dev.jurom.abi;

import dev.jurom.fixture.Command;
import java.io.IOException;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SequenceLayout;
import java.lang.foreign.UnionLayout;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The assumptions of a package of generated stubs about C: a map from C expressions, such as
 * {@code sizeof(struct urom_worker_cmd)} or {@code (int)DOCA_ERROR_AGAIN}, to their values.
 *
 * <p>The values are read from the stubs by reflection, so that no separate list is required.
 */
final class GeneratedPackage {

    private static final Path GENERATED = Command.ROOT.resolve("jextract/generated/dev/jurom/abi");

    private final String name;
    private final Map<String, String> claims = new TreeMap<>();

    GeneratedPackage(String name) throws IOException, ReflectiveOperationException {
        this.name = name;
        try (var files = Files.list(GENERATED.resolve(name))) {
            for (var file : files.sorted().toList()) {
                add(file);
            }
        }
    }

    /** Returns the umbrella header of the package. */
    Path header() {
        return Command.ROOT.resolve("jextract").resolve(name + ".h");
    }

    /** Returns C expressions with their values in decimal, or in quotes for strings. */
    Map<String, String> claims() {
        return claims;
    }

    private void add(Path file) throws IOException, ReflectiveOperationException {
        var simpleName = file.getFileName().toString().replace(".java", "");
        var type = Class.forName("dev.jurom.abi." + name + "." + simpleName);
        if (simpleName.equals(name + "_h")) {
            addConstants(type);
        } else if (hasLayout(type)) {
            var layout = (GroupLayout) type.getMethod("layout").invoke(null);
            addLayout(cName(simpleName, Files.readString(file)), layout);
        }
    }

    private static boolean hasLayout(Class<?> type) {
        return Arrays.stream(type.getMethods())
                .anyMatch(method -> method.getName().equals("layout"));
    }

    /** Returns the C name of a type; the Javadoc of the stub shows whether it requires a keyword. */
    private static String cName(String simpleName, String source) {
        var tagged = Pattern.compile("(struct|union) " + simpleName + " \\{").matcher(source);
        return tagged.find() ? tagged.group(1) + " " + simpleName : simpleName;
    }

    private void addConstants(Class<?> type) throws ReflectiveOperationException {
        var methods = Arrays.stream(type.getMethods())
                .filter(method -> Modifier.isStatic(method.getModifiers()))
                .collect(Collectors.groupingBy(Method::getName));
        for (var entry : methods.entrySet()) {
            var constant = entry.getKey();
            var isFunction = constant.contains("$") || methods.containsKey(constant + "$descriptor");
            var method = entry.getValue().getFirst();
            if (!isFunction && method.getParameterCount() == 0) {
                addConstant(constant, method.invoke(null));
            }
        }
    }

    /** Casts a constant to int, since Java represents unsigned int as int. */
    private void addConstant(String constant, Object value) {
        switch (value) {
            case Integer number -> claims.put("(int)" + constant, number.toString());
            case Long number -> claims.put("(long)" + constant, number.toString());
            case MemorySegment string -> claims.put(constant, '"' + string.getString(0) + '"');
            default -> throw new AssertionError(constant + " is of " + value.getClass());
        }
    }

    private void addLayout(String cType, GroupLayout layout) {
        claim("sizeof(" + cType + ")", layout.byteSize());
        claim("_Alignof(" + cType + ")", layout.byteAlignment());
        addMembers(cType, "", 0, layout);
    }

    /** Treats members of anonymous structs and unions as members of the enclosing type, as C does. */
    private void addMembers(String cType, String prefix, long base, GroupLayout group) {
        var isUnion = group instanceof UnionLayout;
        var offset = base;
        for (var member : group.memberLayouts()) {
            addMember(cType, prefix, offset, member);
            offset += isUnion ? 0 : member.byteSize();
        }
    }

    private void addMember(String cType, String prefix, long offset, MemoryLayout member) {
        var memberName = member.name().orElse(null);
        var unnamed = memberName == null || memberName.startsWith("$anon");
        if (unnamed) {
            if (member instanceof GroupLayout group) {
                addMembers(cType, prefix, offset, group);
            }
            return; // padding
        }
        var path = prefix + memberName;
        claim("offsetof(" + cType + ", " + path + ")", offset);
        if (!(member instanceof SequenceLayout array && array.elementCount() == 0)) {
            claim("sizeof(((" + cType + " *)0)->" + path + ")", member.byteSize());
        }
        if (member instanceof GroupLayout group) {
            addMembers(cType, path + ".", offset, group);
        }
    }

    private void claim(String expression, long value) {
        claims.put(expression, Long.toString(value));
    }
}
