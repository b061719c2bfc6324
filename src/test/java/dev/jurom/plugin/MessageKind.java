// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.jurom.testing.TestMessage;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongBiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Tuple;

/**
 * A kind of message under test.
 *
 * @param name the name
 * @param packer packs a message
 * @param unpacker unpacks a message
 * @param values generates messages
 * @param text formats a message for the C program
 * @param takesRest whether a message extends to the end of the bytes
 */
record MessageKind<R>(
        String name,
        ToLongBiFunction<R, MemorySegment> packer,
        Function<MemorySegment, R> unpacker,
        Arbitrary<R> values,
        Function<R, String> text,
        boolean takesRest) {

    /** Returns the kind of messages of a codec. */
    static <R> MessageKind<R> of(Codec<R> codec, Arbitrary<R> values, Function<R, String> text) {
        return new MessageKind<>(codec.name(), codec::pack, codec::unpack, values, text, codec.takesRest());
    }

    /** Generates messages of all kinds of this library, and of one with every kind of field. */
    static List<MessageKind<?>> all() {
        return Stream.of(GraphMessages.kinds(), SandboxMessages.kinds(), RdmoMessages.kinds(), List.of(Zoo.KIND))
                .flatMap(List::stream)
                .collect(Collectors.toUnmodifiableList());
    }

    Arbitrary<Sample<R>> samples() {
        return values.map(value -> new Sample<>(this, value));
    }

    @Override
    public String toString() {
        return name;
    }

    /** Generates 64 bits, often boundary values of integer types. */
    static Arbitrary<Long> numbers() {
        return Arbitraries.frequencyOf(
                Tuple.of(3, Arbitraries.longs()),
                Tuple.of(
                        1,
                        Arbitraries.of(
                                0L, 1L, -1L, 0xFFL, 0xFFFFL, 0xFFFF_FFFFL, 1L << 32, Long.MIN_VALUE, Long.MAX_VALUE)));
    }

    /** Generates inline bytes, possibly none. */
    static Arbitrary<MemorySegment> inlineBytes() {
        return Arbitraries.bytes().array(byte[].class).ofMaxSize(70).map(MemorySegment::ofArray);
    }

    static String hex(MemorySegment bytes) {
        return hex(bytes.toArray(JAVA_BYTE));
    }

    static String hex(byte[] bytes) {
        return bytes.length == 0 ? "-" : HexFormat.of().formatHex(bytes);
    }

    /** Formats the words of a line; a {@code long} is unsigned. */
    static String line(String name, Object... values) {
        return name
                + Stream.of(values)
                        .map(value -> value instanceof Long number ? Long.toUnsignedString(number) : value)
                        .map(value -> " " + value)
                        .collect(Collectors.joining());
    }

    /** A message of a kind. */
    record Sample<R>(MessageKind<R> kind, R value) implements TestMessage {

        String text() {
            return kind.text.apply(value);
        }

        @Override
        public Sample<R> reread(MemorySegment message) {
            return new Sample<>(kind, kind.unpacker.apply(message));
        }

        @Override
        public long pack(MemorySegment payload) {
            return kind.packer.applyAsLong(value, payload);
        }

        @Override
        public boolean takesRest() {
            return kind.takesRest;
        }

        @Override
        public String toString() {
            return kind + ": " + text();
        }
    }
}
