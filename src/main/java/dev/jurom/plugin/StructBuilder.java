// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * Describes a C struct field by field, in the order of the C declaration, and creates its codec.
 *
 * <p>Each call declares a field at the offset that a C compiler assigns, with the component of the
 * record that it is packed from, and returns the {@link Field} through which the record is read back.
 * A builder is not thread-safe, and cannot be used after it has created its codec.
 *
 * @param <R> the type of the records that the struct is packed from
 */
public final class StructBuilder<R> {

    private final String name;
    private final boolean padded;
    private final List<Field<R>> fields = new ArrayList<>();
    private final List<Field<R>> inlineFields = new ArrayList<>();
    private long size;
    private long alignment = 1;
    private boolean finished;

    private StructBuilder(String name, boolean padded) {
        this.name = name;
        this.padded = padded;
    }

    /**
     * Begins the description of a struct with C's natural alignment and padding.
     *
     * @param name the struct's name in C
     * @param <R> the type of the records that it is packed from
     * @return a builder without fields
     */
    public static <R> StructBuilder<R> struct(String name) {
        return new StructBuilder<>(Objects.requireNonNull(name), true);
    }

    /**
     * Begins the description of a struct without alignment and padding, as with
     * {@code __attribute__((packed))}.
     *
     * @param name the struct's name in C
     * @param <R> the type of the records that it is packed from
     * @return a builder without fields
     */
    public static <R> StructBuilder<R> packedStruct(String name) {
        return new StructBuilder<>(Objects.requireNonNull(name), false);
    }

    /**
     * Declares an integer.
     *
     * @param type the field's C type
     * @param fieldName the field's name in C
     * @param component returns the component of the record, an integer of any Java type
     * @return the field
     */
    public IntegerField<R> integer(CInteger type, String fieldName, ToLongFunction<? super R> component) {
        long offset = place(type.size(), type.size());
        return add(new IntegerField<>(name, fieldName, offset, type, component));
    }

    /**
     * Declares a {@code uint8_t}.
     *
     * @param fieldName the field's name in C
     * @param component returns the component of the record, 0 to 255
     * @return the field
     */
    public IntegerField<R> u8(String fieldName, ToLongFunction<? super R> component) {
        return integer(CInteger.U8, fieldName, component);
    }

    /**
     * Declares an {@code int8_t}, or a packed enum such as {@code ucs_status_t}.
     *
     * @param fieldName the field's name in C
     * @param component returns the component of the record, -128 to 127
     * @return the field
     */
    public IntegerField<R> s8(String fieldName, ToLongFunction<? super R> component) {
        return integer(CInteger.S8, fieldName, component);
    }

    /**
     * Declares a {@code uint16_t}.
     *
     * @param fieldName the field's name in C
     * @param component returns the component of the record, 0 to 65,535
     * @return the field
     */
    public IntegerField<R> u16(String fieldName, ToLongFunction<? super R> component) {
        return integer(CInteger.U16, fieldName, component);
    }

    /**
     * Declares an {@code int16_t}.
     *
     * @param fieldName the field's name in C
     * @param component returns the component of the record, -32,768 to 32,767
     * @return the field
     */
    public IntegerField<R> s16(String fieldName, ToLongFunction<? super R> component) {
        return integer(CInteger.S16, fieldName, component);
    }

    /**
     * Declares a {@code uint32_t}.
     *
     * @param fieldName the field's name in C
     * @param component returns the component of the record, 0 to 4,294,967,295
     * @return the field
     */
    public IntegerField<R> u32(String fieldName, ToLongFunction<? super R> component) {
        return integer(CInteger.U32, fieldName, component);
    }

    /**
     * Declares an {@code int32_t}, an {@code int} or an {@code enum}.
     *
     * @param fieldName the field's name in C
     * @param component returns the component of the record, an {@code int}
     * @return the field
     */
    public IntegerField<R> s32(String fieldName, ToLongFunction<? super R> component) {
        return integer(CInteger.S32, fieldName, component);
    }

    /**
     * Declares a {@code uint64_t}, a {@code size_t} or an address in the other process.
     *
     * @param fieldName the field's name in C
     * @param component returns the component of the record: the 64 bits
     * @return the field
     */
    public IntegerField<R> u64(String fieldName, ToLongFunction<? super R> component) {
        return integer(CInteger.U64, fieldName, component);
    }

    /**
     * Declares an {@code int64_t}.
     *
     * @param fieldName the field's name in C
     * @param component returns the component of the record, a {@code long}
     * @return the field
     */
    public IntegerField<R> s64(String fieldName, ToLongFunction<? super R> component) {
        return integer(CInteger.S64, fieldName, component);
    }

    /**
     * Declares a {@code float}.
     *
     * @param fieldName the field's name in C
     * @param component returns the component of the record
     * @return the field
     */
    public FloatingField<R> f32(String fieldName, ToDoubleFunction<? super R> component) {
        long offset = place(Float.BYTES, Float.BYTES);
        return add(new FloatingField<>(name, fieldName, offset, Float.BYTES, component));
    }

    /**
     * Declares a {@code double}.
     *
     * @param fieldName the field's name in C
     * @param component returns the component of the record
     * @return the field
     */
    public FloatingField<R> f64(String fieldName, ToDoubleFunction<? super R> component) {
        long offset = place(Double.BYTES, Double.BYTES);
        return add(new FloatingField<>(name, fieldName, offset, Double.BYTES, component));
    }

    /**
     * Declares a fixed array of integers.
     *
     * @param type the C type of the elements
     * @param fieldName the array's name in C
     * @param count the number of elements, at least 1
     * @param component returns the component of the record, of exactly that length
     * @return the field
     */
    public IntegersField<R> integers(
            CInteger type, String fieldName, int count, Function<? super R, long[]> component) {
        requireCount(fieldName, count);
        long offset = place((long) type.size() * count, type.size());
        return add(new IntegersField<>(name, fieldName, offset, type, count, component));
    }

    /**
     * Declares {@code uint8_t field[count]}.
     *
     * @param fieldName the array's name in C
     * @param count the number of bytes, at least 1
     * @param component returns the component of the record, of exactly that length
     * @return the field
     */
    public BytesField<R> bytes(String fieldName, int count, Function<? super R, byte[]> component) {
        requireCount(fieldName, count);
        return add(new BytesField<>(name, fieldName, place(count, 1), count, component));
    }

    /**
     * Declares {@code char field[capacity]} with a string.
     *
     * @param fieldName the field's name in C
     * @param capacity the array's length in bytes, including the NUL, at least 1
     * @param component returns the component of the record: at most {@code capacity - 1} bytes in UTF-8
     * @return the field
     */
    public TextField<R> text(String fieldName, int capacity, Function<? super R, String> component) {
        requireCount(fieldName, capacity);
        return add(new TextField<>(name, fieldName, place(capacity, 1), capacity, component));
    }

    /**
     * Declares a nested struct or tagged union.
     *
     * @param fieldName the field's name in C
     * @param codec the codec of the nested struct
     * @param component returns the component of the record
     * @param <S> the type of the records of the nested struct
     * @return the field
     */
    public <S> NestedField<R, S> nested(String fieldName, Codec<S> codec, Function<? super R, ? extends S> component) {
        long offset = place(codec.size(), codec.alignment());
        return add(new NestedField<>(name, fieldName, offset, codec, inlineStart(), component));
    }

    /**
     * Declares a fixed array of structs.
     *
     * @param fieldName the array's name in C
     * @param codec the codec of the elements
     * @param count the number of elements, at least 1
     * @param component returns the component of the record, of exactly that length
     * @param <S> the type of the records of the elements
     * @return the field
     * @throws IllegalArgumentException if an element extends to the end of the message
     */
    public <S> NestedArrayField<R, S> nestedArray(
            String fieldName, Codec<S> codec, int count, Function<? super R, ? extends List<? extends S>> component) {
        requireCount(fieldName, count);
        if (codec.takesRest()) {
            throw new IllegalArgumentException("Each " + codec.name() + " of " + name + "." + fieldName
                    + " would take the rest of the message: give it a length field");
        }
        long offset = place(codec.size() * count, codec.alignment());
        return add(new NestedArrayField<>(name, fieldName, offset, codec, count, inlineStart(), component));
    }

    /**
     * Declares a pointer whose value shows whether an inline part exists. {@link #inline} declares
     * the part.
     *
     * @param fieldName the field's name in C
     * @param present returns whether the pointer is not NULL
     * @return the field
     */
    public PointerField<R> pointer(String fieldName, Predicate<? super R> present) {
        long offset = place(CInteger.U64.size(), CInteger.U64.size());
        return add(new PointerField<>(name, fieldName, offset, present));
    }

    /**
     * Declares a pointer, the {@code uint64_t} length that follows it, and the inline bytes that they
     * describe. The message contains NULL as the pointer, which the receiver replaces by its own.
     *
     * @param pointerName the pointer's name in C
     * @param lengthName the length's name in C
     * @param component returns the component of the record, whose size becomes the length
     * @return the inline part
     */
    public InlineField<R> pointerAndLength(
            String pointerName, String lengthName, Function<? super R, MemorySegment> component) {
        pointer(pointerName, value -> false);
        var length = u64(lengthName, value -> component.apply(value).byteSize());
        return inline(pointerName, component, length::get);
    }

    /**
     * Declares inline bytes whose length fields of the struct contain.
     *
     * @param partName the part's name, for messages of exceptions
     * @param component returns the component of the record, which has that length
     * @param length reads the length from the packed fields
     * @return the inline part
     */
    public InlineField<R> inline(String partName, Function<? super R, MemorySegment> component, InlineLength length) {
        return add(new InlineField<>(name, partName, size, inlineStart(), component, length));
    }

    /**
     * Declares inline bytes that extend to the end of the message. No other inline part may follow.
     *
     * @param partName the part's name, for messages of exceptions
     * @param component returns the component of the record, of any size
     * @return the inline part
     */
    public InlineField<R> rest(String partName, Function<? super R, MemorySegment> component) {
        return add(new InlineField<>(name, partName, size, inlineStart(), component, null));
    }

    /**
     * Creates the codec. The builder cannot be used any more.
     *
     * @param unpacker creates a record from the fields; an {@link IllegalArgumentException} or
     *     {@link ArithmeticException} that it throws becomes the cause of a {@link CodecException}
     * @return the codec
     * @throws IllegalStateException if no field was declared, or the codec has been created
     */
    public StructCodec<R> codec(Function<? super MessageView, ? extends R> unpacker) {
        requireUnfinished();
        if (fields.isEmpty()) {
            throw new IllegalStateException("The struct " + name + " has no field: declare one");
        }
        finished = true;
        return new StructCodec<>(name, align(size, alignment), alignment, padded, fields, unpacker);
    }

    FloatingField<R> floating(int bytes, String fieldName, ToDoubleFunction<? super R> component) {
        return bytes == Float.BYTES ? f32(fieldName, component) : f64(fieldName, component);
    }

    ArrayField<R> array(String fieldName, ArrayField.Elements elements, int count, Function<? super R, ?> component) {
        requireCount(fieldName, count);
        int elementSize = Math.toIntExact(elements.layout().byteSize());
        long offset = place((long) elementSize * count, elementSize);
        return add(new ArrayField<>(name, fieldName, offset, elements, count, component));
    }

    PrefixedField<R> prefixed(String part, boolean isText, Function<? super R, ?> component) {
        long offset = place(Integer.BYTES, Integer.BYTES);
        return add(new PrefixedField<>(name, part, offset, inlineStart(), isText, component));
    }

    static long align(long offset, long alignment) {
        return (offset + alignment - 1) / alignment * alignment;
    }

    /** Allocates the next field of a size and an alignment. Returns its offset. */
    private long place(long fieldSize, long fieldAlignment) {
        long effective = padded ? fieldAlignment : 1;
        long offset = align(size, effective);
        size = Math.addExact(offset, fieldSize);
        alignment = Math.max(alignment, effective);
        return offset;
    }

    private InlineStart inlineStart() {
        return new InlineStart(List.copyOf(inlineFields));
    }

    private <F extends Field<R>> F add(F field) {
        requireUnfinished();
        if (field.hasInline()) {
            if (inlineFields.stream().anyMatch(Field::takesRest)) {
                throw new IllegalStateException("The inline part " + field
                        + " comes after one that takes the rest of the message: declare it before");
            }
            inlineFields.add(field);
        }
        fields.add(field);
        return field;
    }

    private void requireUnfinished() {
        if (finished) {
            throw new IllegalStateException(
                    "The codec of the struct " + name + " has been created: its fields cannot change");
        }
    }

    private void requireCount(String fieldName, int count) {
        if (count < 1) {
            throw new IllegalArgumentException(
                    "The array " + name + "." + fieldName + " must have at least 1 element, not " + count);
        }
    }
}
