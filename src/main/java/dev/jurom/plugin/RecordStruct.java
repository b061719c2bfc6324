// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Creates the codec of a record class. Components are read by method handles, and the record is created by one that
 * composes the constructor with the reads, so that no value is boxed.
 *
 * @param <R> the type of the records
 */
final class RecordStruct<R extends Record> {

    private static final MethodHandles.Lookup OWN = MethodHandles.lookup();
    private static final MethodHandle IS_TRUE =
            own(() -> OWN.findStatic(RecordStruct.class, "isTrue", MethodType.methodType(boolean.class, long.class)));

    private static final Map<Class<?>, CInteger> INTEGERS = Map.of(
            boolean.class, CInteger.U8,
            byte.class, CInteger.S8,
            char.class, CInteger.U16,
            short.class, CInteger.S16,
            int.class, CInteger.S32,
            long.class, CInteger.S64);

    private static final Map<Class<?>, ArrayField.Elements> ARRAYS = Map.of(
            byte[].class, new ArrayField.Elements("uint8_t", ValueLayout.JAVA_BYTE, byte[]::new),
            char[].class, new ArrayField.Elements("uint16_t", ValueLayout.JAVA_CHAR_UNALIGNED, char[]::new),
            short[].class, new ArrayField.Elements("int16_t", ValueLayout.JAVA_SHORT_UNALIGNED, short[]::new),
            int[].class, new ArrayField.Elements("int32_t", ValueLayout.JAVA_INT_UNALIGNED, int[]::new),
            long[].class, new ArrayField.Elements("int64_t", ValueLayout.JAVA_LONG_UNALIGNED, long[]::new),
            float[].class, new ArrayField.Elements("float", ValueLayout.JAVA_FLOAT_UNALIGNED, float[]::new),
            double[].class, new ArrayField.Elements("double", ValueLayout.JAVA_DOUBLE_UNALIGNED, double[]::new));

    private final MethodHandles.@Nullable Lookup lookup;
    private final Class<R> type;
    private final Set<Class<?>> enclosing;
    private final StructBuilder<R> struct;
    private final MethodHandles.Lookup access;

    private RecordStruct(MethodHandles.@Nullable Lookup lookup, Class<R> type, Set<Class<?>> enclosing) {
        this.lookup = lookup;
        this.type = type;
        this.enclosing = enclosing;
        this.struct = StructBuilder.struct(inC(type.getSimpleName()));
        this.access = lookup != null ? lookup : accessTo(type);
    }

    /**
     * Creates a codec.
     *
     * @param lookup accesses the record class and those of its components; null for the access of this module
     */
    static <R extends Record> StructCodec<R> codec(MethodHandles.@Nullable Lookup lookup, Class<R> type) {
        return new RecordStruct<>(lookup, type, Set.of(type)).codec();
    }

    private static MethodHandles.Lookup accessTo(Class<?> type) {
        RecordStruct.class.getModule().addReads(type.getModule());
        try {
            return MethodHandles.privateLookupIn(type, OWN);
        } catch (IllegalAccessException e) {
            return OWN; // for a public class in an exported package
        }
    }

    /** Returns a name in the manner of C. */
    private static String inC(String name) {
        return name.replaceAll("(?<=[a-z0-9])(?=[A-Z])", "_").toLowerCase(Locale.ROOT);
    }

    private StructCodec<R> codec() {
        var components = type.getRecordComponents();
        if (components.length == 0) {
            throw new IllegalArgumentException(type + " has no component: a struct in C needs a field");
        }
        var names = new HashSet<String>();
        var reads = new MethodHandle[components.length];
        for (var i = 0; i < components.length; i++) {
            var field = field(components[i], inC(components[i].getName()));
            if (!names.add(field.name())) {
                throw new IllegalArgumentException(
                        type + " has two components for the field " + field.name() + ": rename one of them");
            }
            reads[i] = read(field, components[i].getType());
        }
        var all = MethodHandles.filterArguments(constructor(components), 0, reads);
        var one = MethodHandles.permuteArguments(
                        all, MethodType.methodType(type, MessageView.class), new int[components.length])
                .asType(MethodType.methodType(Object.class, MessageView.class));
        return struct.codec(in -> {
            try {
                return type.cast((Object) one.invokeExact(in));
            } catch (Throwable e) {
                throw unchecked(e);
            }
        });
    }

    private MethodHandle constructor(RecordComponent[] components) {
        var types = Stream.of(components).map(RecordComponent::getType).toList();
        return accessible(() -> access.findConstructor(type, MethodType.methodType(void.class, types)));
    }

    private Field<R> field(RecordComponent component, String name) {
        var accessor = accessible(() -> access.unreflect(component.getAccessor()));
        var componentType = component.getType();
        var length = component.getAnnotation(Length.class);
        var integer = INTEGERS.get(componentType);
        var elements = ARRAYS.get(componentType);
        var isText = componentType == String.class;
        if (length != null && elements == null && !isText) {
            throw new IllegalArgumentException(
                    component + " of " + type + " has a length, but is neither an array nor a String");
        }
        if (integer != null) {
            var get = MethodHandles.explicitCastArguments(accessor, MethodType.methodType(long.class, Object.class));
            return struct.integer(integer, name, value -> {
                try {
                    return (long) get.invokeExact((Object) value);
                } catch (Throwable e) {
                    throw unchecked(e);
                }
            });
        }
        if (componentType == float.class || componentType == double.class) {
            var get = accessor.asType(MethodType.methodType(double.class, Object.class));
            return struct.floating(componentType == float.class ? Float.BYTES : Double.BYTES, name, value -> {
                try {
                    return (double) get.invokeExact((Object) value);
                } catch (Throwable e) {
                    throw unchecked(e);
                }
            });
        }
        if (isText && length != null) {
            return struct.text(name, length.value(), getter(accessor, String.class));
        }
        if (isText || componentType == byte[].class && length == null) {
            return struct.prefixed(name, isText, getter(accessor, componentType));
        }
        if (elements != null && length != null) {
            return struct.array(name, elements, length.value(), getter(accessor, componentType));
        }
        if (componentType.isRecord()) {
            return nested(componentType.asSubclass(Record.class), accessor, name);
        }
        throw new IllegalArgumentException(component + " of " + type + " has no form in C: "
                + (elements != null ? "state its @Length" : "use a primitive type, an array, a String or a record"));
    }

    private <S extends Record> Field<R> nested(Class<S> inner, MethodHandle accessor, String name) {
        if (enclosing.contains(inner)) {
            throw new IllegalArgumentException(inner + " contains itself, which a struct in C cannot");
        }
        var both = new HashSet<>(enclosing);
        both.add(inner);
        return struct.nested(name, new RecordStruct<>(lookup, inner, both).codec(), getter(accessor, inner));
    }

    private static <R, T> Function<R, T> getter(MethodHandle accessor, Class<T> type) {
        var get = accessor.asType(MethodType.methodType(Object.class, Object.class));
        return value -> {
            try {
                return type.cast((Object) get.invokeExact((Object) value));
            } catch (Throwable e) {
                throw unchecked(e);
            }
        };
    }

    /** Returns a handle that reads a field through a view, as a value of the component's type. */
    private static MethodHandle read(Field<?> field, Class<?> type) {
        var result = switch (field) {
            case IntegerField<?> integer -> long.class;
            case FloatingField<?> floating -> double.class;
            case TextField<?> text -> String.class;
            default -> Object.class;
        };
        var get = own(() -> OWN.findVirtual(field.getClass(), "get", MethodType.methodType(result, MessageView.class)))
                .bindTo(field);
        return type == boolean.class
                ? MethodHandles.filterReturnValue(get, IS_TRUE)
                : MethodHandles.explicitCastArguments(get, MethodType.methodType(type, MessageView.class));
    }

    private static boolean isTrue(long value) {
        return value != 0;
    }

    /** A search for a method handle. */
    @FunctionalInterface
    private interface Search {

        MethodHandle handle() throws ReflectiveOperationException;
    }

    private static MethodHandle own(Search search) {
        try {
            return search.handle();
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private MethodHandle accessible(Search search) {
        try {
            return search.handle();
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(
                    type + " is not accessible: open its package to dev.jurom, or pass a Lookup with access to it", e);
        }
    }

    private static RuntimeException unchecked(Throwable thrown) {
        return switch (thrown) {
            case RuntimeException e -> e;
            case Error e -> throw e;
            default ->
                throw new AssertionError("accessors and constructors of records throw no checked exception", thrown);
        };
    }
}
