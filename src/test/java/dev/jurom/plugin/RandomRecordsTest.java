// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.jurom.fixture.Command;
import dev.jurom.testing.CLayout;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Tests codecs of generated record classes with components of all kinds. */
class RandomRecordsTest {

    private static final int RECORDS = 12; // of a try
    private static final int MOST_COMPONENTS = 6;
    private static final int VALUES = 20; // of a record class
    private static final List<String> SIMPLE =
            List.of("boolean", "byte", "char", "short", "int", "long", "float", "double", "String", "byte[]");
    private static final List<String> ARRAYS =
            List.of("byte[]", "char[]", "short[]", "int[]", "long[]", "float[]", "double[]", "String");

    @Property(tries = 4)
    void layouts_are_those_of_the_compiler_and_values_are_kept(@ForAll long seed) throws Exception {
        var random = new SplittableRandom(seed);
        var folder = Files.createTempDirectory("records");
        try {
            for (var type : compile(folder, random)) {
                check(type, random);
            }
        } finally {
            try (var files = Files.walk(folder)) {
                files.sorted(Comparator.reverseOrder())
                        .forEach(file -> file.toFile().delete());
            }
        }
    }

    private static <R extends Record> void check(Class<R> type, SplittableRandom random) throws Exception {
        var codec = StructCodec.ofRecord(type);
        CLayout.of(String.join("\n", codec.declarations())).requireSame(codec);
        for (var i = 0; i < VALUES; i++) {
            var value = type.cast(value(type, 0, random));
            var payload = MemorySegment.ofArray(new byte[1 << 14]);
            payload.fill((byte) 0x5A);
            var packed = payload.asSlice(0, codec.pack(value, payload));
            var read = codec.unpack(packed);
            assertEquals(components(value), components(read));
            var again = MemorySegment.ofArray(new byte[1 << 14]);
            assertArrayEquals(
                    packed.toArray(ValueLayout.JAVA_BYTE),
                    again.asSlice(0, codec.pack(read, again)).toArray(ValueLayout.JAVA_BYTE));
        }
    }

    /** Returns the components of a record, with lists for arrays. */
    private static List<Object> components(Object value) throws ReflectiveOperationException {
        var all = new ArrayList<>();
        for (var component : value.getClass().getRecordComponents()) {
            var part = component.getAccessor().invoke(value);
            all.add(
                    part.getClass().isArray()
                            ? IntStream.range(0, Array.getLength(part))
                                    .mapToObj(i -> Array.get(part, i))
                                    .toList()
                            : part.getClass().isRecord() ? components(part) : part);
        }
        return all;
    }

    private static List<Class<? extends Record>> compile(Path folder, SplittableRandom random) throws Exception {
        var words = new ArrayList<>(List.of("-d", folder.toString(), "-cp", Command.LIBRARY.toString()));
        for (var i = 0; i < RECORDS; i++) {
            var file = folder.resolve("Sample" + i + ".java");
            Files.writeString(file, source(i, random));
            words.add(file.toString());
        }
        var compiler = ToolProvider.getSystemJavaCompiler();
        assertNotNull(compiler);
        assertEquals(0, compiler.run(null, null, null, words.toArray(String[]::new)));
        return load(folder);
    }

    private static List<Class<? extends Record>> load(Path folder) throws IOException, ClassNotFoundException {
        var types = new ArrayList<Class<? extends Record>>();
        try (var loader = new URLClassLoader(new URL[] {folder.toUri().toURL()}, Length.class.getClassLoader())) {
            for (var i = 0; i < RECORDS; i++) {
                types.add(loader.loadClass("Sample" + i).asSubclass(Record.class));
            }
        }
        return types;
    }

    private static String source(int index, SplittableRandom random) {
        var components = Stream.generate(() -> component(index, random))
                .limit(1 + random.nextInt(MOST_COMPONENTS))
                .toList();
        return "public record Sample" + index + "("
                + String.join(
                        ", ",
                        IntStream.range(0, components.size())
                                .mapToObj(i -> components.get(i) + " part" + i)
                                .toList())
                + ") {}";
    }

    private static String component(int index, SplittableRandom random) {
        return switch (random.nextInt(3)) {
            case 0 ->
                "@dev.jurom.plugin.Length(" + (1 + random.nextInt(9)) + ") "
                        + ARRAYS.get(random.nextInt(ARRAYS.size()));
            case 1 -> index == 0 ? "int" : "Sample" + random.nextInt(index);
            default -> SIMPLE.get(random.nextInt(SIMPLE.size()));
        };
    }

    private static Object value(Class<?> type, int length, SplittableRandom random)
            throws ReflectiveOperationException {
        if (type.isRecord()) {
            var components = type.getRecordComponents();
            var types = new Class<?>[components.length];
            var values = new Object[components.length];
            for (var i = 0; i < components.length; i++) {
                var bound = components[i].getAnnotation(Length.class);
                types[i] = components[i].getType();
                values[i] = value(types[i], bound == null ? 0 : bound.value(), random);
            }
            return type.getConstructor(types).newInstance(values);
        }
        if (type.isArray()) {
            var array = Array.newInstance(type.getComponentType(), length == 0 ? random.nextInt(30) : length);
            for (var i = 0; i < Array.getLength(array); i++) {
                Array.set(array, i, value(type.getComponentType(), 0, random));
            }
            return array;
        }
        var number = random.nextLong();
        return switch (type.getName()) {
            case "boolean" -> number < 0;
            case "byte" -> (byte) number;
            case "char" -> (char) number;
            case "short" -> (short) number;
            case "int" -> (int) number;
            case "long" -> number;
            case "float" -> (float) number;
            case "double" -> (double) number;
            default -> text(length == 0 ? 30 : length - 1, random);
        };
    }

    /** Returns a text of at most so many bytes in UTF-8. */
    private static String text(int bytes, SplittableRandom random) {
        var text = new StringBuilder();
        for (var left = random.nextInt(bytes + 1); left > 0; ) {
            var character = random.nextInt(4) > 0 || left < 3 ? "x" : "€";
            text.append(character);
            left -= character.equals("x") ? 1 : 3;
        }
        return text.toString();
    }
}
