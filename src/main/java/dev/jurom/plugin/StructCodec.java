// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * Packs records of one type into a C struct. A {@link StructBuilder} creates it, or
 * {@link #ofRecord(Class)} for a record class.
 *
 * @param <R> the type of the records
 */
public final class StructCodec<R> extends Codec<R> {

    private final boolean padded;
    private final List<Field<R>> fields;
    private final List<Field<R>> inlineFields;
    private final Function<? super MessageView, ? extends R> unpacker;

    StructCodec(
            String name,
            long size,
            long alignment,
            boolean padded,
            List<Field<R>> fields,
            Function<? super MessageView, ? extends R> unpacker) {
        super(name, size, alignment);
        this.padded = padded;
        this.fields = List.copyOf(fields);
        this.inlineFields = fields.stream().filter(Field::hasInline).toList();
        this.unpacker = unpacker;
    }

    /**
     * Returns the struct's fields and inline parts.
     *
     * @return an unmodifiable list, in the order of declaration
     */
    public List<Field<R>> fields() {
        return fields;
    }

    /**
     * Creates the codec of a record class, whose struct has a field for each component, in their order and with the
     * padding of C. The names of the struct and its fields are those of Java with underscores: {@code maxSize} becomes
     * {@code max_size}.
     *
     * <table>
     * <caption>Components and fields</caption>
     * <tr><th>Java</th><th>C</th></tr>
     * <tr><td>{@code byte}, {@code short}, {@code int}, {@code long}</td>
     * <td>{@code int8_t}, {@code int16_t}, {@code int32_t}, {@code int64_t}</td></tr>
     * <tr><td>{@code boolean}, {@code char}</td><td>{@code uint8_t}, {@code uint16_t}</td></tr>
     * <tr><td>{@code float}, {@code double}</td><td>{@code float}, {@code double}</td></tr>
     * <tr><td>an array of these except {@code boolean}, with {@link Length}</td>
     * <td>an array; {@code uint8_t} for {@code byte[]}</td></tr>
     * <tr><td>{@code String} with {@link Length}</td><td>an array of {@code char} with a NUL</td></tr>
     * <tr><td>{@code String}, {@code byte[]}</td>
     * <td>a {@code uint32_t} of the name with {@code _length}; the bytes follow the struct, text as UTF-8</td></tr>
     * <tr><td>another record</td><td>its struct</td></tr>
     * </table>
     *
     * <p>Packing allocates memory only for texts with characters other than ASCII. Unpacking with a reused
     * {@link MessageView} allocates the record and its components, and for a text a copy of its bytes. Codecs of a
     * {@link StructBuilder} also have unsigned integers, unions and views of inline bytes.
     *
     * <p>The record class is public in a package that is exported to this module, or in a package that is open to it;
     * for others, pass a {@link #ofRecord(MethodHandles.Lookup, Class) lookup}.
     *
     * @param <R> the type of the records
     * @param type the record class
     * @return a codec
     * @throws IllegalArgumentException if a component has no form in C, or the class is not accessible
     */
    public static <R extends Record> StructCodec<R> ofRecord(Class<R> type) {
        return RecordStruct.codec(null, type);
    }

    /**
     * Creates the codec of a record class that only a lookup can access, as {@link #ofRecord(Class)} does.
     *
     * @param <R> the type of the records
     * @param lookup a lookup of a class that can access the record class and those of its components
     * @param type the record class
     * @return a codec
     * @throws IllegalArgumentException if a component has no form in C, or the lookup has no access to a class
     */
    public static <R extends Record> StructCodec<R> ofRecord(MethodHandles.Lookup lookup, Class<R> type) {
        return RecordStruct.codec(Objects.requireNonNull(lookup), type);
    }

    @Override
    public List<String> declarations() {
        var all = new LinkedHashSet<String>();
        var own = new StringBuilder("struct ").append(name()).append(" {\n");
        for (var field : fields) {
            all.addAll(field.typeDeclarations());
            own.append("    ").append(field.declaration()).append('\n');
        }
        all.add(own.append(padded ? "};\n" : "} __attribute__((packed));\n").toString());
        return List.copyOf(all);
    }

    @Override
    void packFixed(R value, MemorySegment payload, long at) {
        for (int i = 0; i < fields.size(); i++) {
            fields.get(i).pack(value, payload, at);
        }
    }

    @Override
    long packInline(R value, MemorySegment payload, long at, long inline) {
        long end = inline;
        for (int i = 0; i < inlineFields.size(); i++) {
            end = inlineFields.get(i).packInline(value, payload, at, end);
        }
        return end;
    }

    @Override
    long checkInline(MemorySegment message, long at, long inline) {
        long end = inline;
        for (int i = 0; i < inlineFields.size(); i++) {
            end = inlineFields.get(i).checkInline(message, at, end);
        }
        return end;
    }

    @Override
    R read(MessageView view) {
        try {
            return unpacker.apply(view);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new CodecException(name(), view.at, "its record rejects the values: " + e.getMessage(), e);
        }
    }

    @Override
    boolean hasInline() {
        return !inlineFields.isEmpty();
    }

    @Override
    public boolean takesRest() {
        return inlineFields.stream().anyMatch(Field::takesRest);
    }
}
