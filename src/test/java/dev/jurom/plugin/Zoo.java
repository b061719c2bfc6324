// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import static dev.jurom.plugin.MessageKind.hex;
import static dev.jurom.plugin.MessageKind.inlineBytes;
import static dev.jurom.plugin.MessageKind.line;
import static dev.jurom.plugin.MessageKind.numbers;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** {@code struct zoo} of {@code src/test/c/codec/zoo.c}: every kind of field in one message. */
record Zoo(Small small, Large large, List<Animal> animals, MemorySegment notes, Food food, int last) {

    static final StructCodec<Zoo> CODEC = codec();
    static final MessageKind<Zoo> KIND = MessageKind.of(CODEC, values(), Zoo::text);

    /** Small integers, arrays and text. */
    record Small(int u8, short s16, byte s8, char u16, byte[] seal, String name, long[] counts) {}

    /** Large integers, numbers, and a packed struct. */
    record Large(long s64, int s32, long u32, long u64, float f32, double f64, Ticket ticket) {}

    /** {@code struct ticket}. */
    record Ticket(int row, long price, int seat) {}

    /** {@code struct animal}. */
    record Animal(int legs, MemorySegment name) {}

    /** {@code struct food}. */
    sealed interface Food {}

    /** One member of its union. */
    record Hay(long grams) implements Food {}

    /** The other member. */
    record Fish(long[] pieces, long weight) implements Food {}

    private static StructCodec<Zoo> codec() {
        var animal = animalCodec();
        StructBuilder<Zoo> struct = StructBuilder.struct("zoo");
        var u8 = struct.u8("u8", zoo -> zoo.small.u8);
        var s16 = struct.s16("s16", zoo -> zoo.small.s16);
        var s8 = struct.s8("s8", zoo -> zoo.small.s8);
        var u16 = struct.u16("u16", zoo -> zoo.small.u16);
        var s64 = struct.s64("s64", zoo -> zoo.large.s64);
        var s32 = struct.s32("s32", zoo -> zoo.large.s32);
        var seal = struct.bytes("seal", 5, zoo -> zoo.small.seal);
        var u32 = struct.u32("u32", zoo -> zoo.large.u32);
        var name = struct.text("name", 11, zoo -> zoo.small.name);
        var u64 = struct.u64("u64", zoo -> zoo.large.u64);
        var f32 = struct.f32("f32", zoo -> zoo.large.f32);
        var f64 = struct.f64("f64", zoo -> zoo.large.f64);
        var counts = struct.integers(CInteger.S32, "counts", 3, zoo -> zoo.small.counts);
        var ticket = struct.nested("ticket", ticketCodec(), zoo -> zoo.large.ticket);
        var notes = struct.pointerAndLength("notes", "notes_len", Zoo::notes);
        var keeper = struct.nested("keeper", animal, zoo -> zoo.animals.get(0));
        var animals = struct.nestedArray("animals", animal, 2, zoo -> zoo.animals.subList(1, 3));
        var food = struct.nested("food", foodCodec(), Zoo::food);
        var last = struct.u8("last", Zoo::last);
        return struct.codec(in -> {
            // The order of reading is free.
            var others = animals.get(in);
            var small = new Small(
                    u8.getInt(in),
                    (short) s16.getInt(in),
                    (byte) s8.getInt(in),
                    (char) u16.getInt(in),
                    seal.get(in),
                    name.get(in),
                    counts.get(in));
            var large = new Large(
                    s64.get(in),
                    s32.getInt(in),
                    u32.get(in),
                    u64.get(in),
                    (float) f32.get(in),
                    f64.get(in),
                    ticket.get(in));
            return new Zoo(
                    small,
                    large,
                    List.of(keeper.get(in), others.get(0), others.get(1)),
                    notes.get(in),
                    food.get(in),
                    last.getInt(in));
        });
    }

    private static StructCodec<Ticket> ticketCodec() {
        StructBuilder<Ticket> struct = StructBuilder.packedStruct("ticket");
        var row = struct.u8("row", Ticket::row);
        var price = struct.u64("price", Ticket::price);
        var seat = struct.s16("seat", Ticket::seat);
        return struct.codec(in -> new Ticket(row.getInt(in), price.get(in), seat.getInt(in)));
    }

    private static StructCodec<Animal> animalCodec() {
        StructBuilder<Animal> struct = StructBuilder.struct("animal");
        var legs = struct.u16("legs", Animal::legs);
        var name = struct.pointerAndLength("name", "name_len", Animal::name);
        return struct.codec(in -> new Animal(legs.getInt(in), name.get(in)));
    }

    private static UnionCodec<Food> foodCodec() {
        StructBuilder<Hay> hay = StructBuilder.struct("hay");
        var grams = hay.u32("grams", Hay::grams);
        StructBuilder<Fish> fish = StructBuilder.struct("fish");
        var pieces = fish.integers(CInteger.S16, "pieces", 3, Fish::pieces);
        var weight = fish.u64("weight", Fish::weight);
        return UnionCodec.<Food>tagged("food", CInteger.U8, "kind")
                .member(1, "hay", Hay.class, hay.codec(in -> new Hay(grams.get(in))))
                .member(2, "fish", Fish.class, fish.codec(in -> new Fish(pieces.get(in), weight.get(in))))
                .codec();
    }

    private static Arbitrary<Zoo> values() {
        var bytes = Arbitraries.integers().between(0, 255);
        var shorts = Arbitraries.shorts();
        var ints = Arbitraries.integers();
        var longs = numbers();
        var unsigned = Arbitraries.longs().between(0, 0xFFFF_FFFFL);
        var names = Arbitraries.strings()
                .withChars("a\u00e4\u20ac\ud83d\ude00")
                .ofMaxLength(10)
                .map(text -> text.replaceAll("[\\ud800-\\udfff]", "z"))
                .filter(text -> text.getBytes(StandardCharsets.UTF_8).length <= 10);
        var small = Combinators.combine(
                        bytes,
                        shorts,
                        Arbitraries.bytes(),
                        Arbitraries.chars().all(),
                        Arbitraries.bytes().array(byte[].class).ofSize(5),
                        names,
                        ints.map(Integer::longValue).array(Long[].class).ofSize(3))
                .as(Zoo::small);
        var ticket =
                Combinators.combine(bytes, longs, shorts.map(Short::intValue)).as(Ticket::new);
        var large = Combinators.combine(
                        longs, ints, unsigned, longs, Arbitraries.floats(), Arbitraries.doubles(), ticket)
                .as(Large::new);
        var animals = Combinators.combine(Arbitraries.integers().between(0, 65535), inlineBytes())
                .as(Animal::new)
                .list()
                .ofSize(3);
        var pieces = shorts.map(Short::longValue).array(Long[].class).ofSize(3);
        Arbitrary<Food> food = Arbitraries.oneOf(
                unsigned.map(Hay::new),
                Combinators.combine(pieces, longs).as((each, weight) -> new Fish(primitive(each), weight)));
        return Combinators.combine(small, large, animals, inlineBytes(), food, bytes)
                .as(Zoo::new);
    }

    private static Small small(int u8, short s16, byte s8, char u16, byte[] seal, String name, Long[] counts) {
        return new Small(u8, s16, s8, u16, seal, name, primitive(counts));
    }

    private static long[] primitive(Long[] values) {
        var result = new long[values.length];
        for (int i = 0; i < values.length; i++) {
            result[i] = values[i];
        }
        return result;
    }

    private static String text(Zoo zoo) {
        var small = zoo.small;
        var large = zoo.large;
        return line(
                        "zoo",
                        small.u8,
                        small.s16,
                        small.s8,
                        (int) small.u16,
                        Long.toString(large.s64),
                        large.s32,
                        hex(small.seal),
                        large.u32,
                        hex(small.name.getBytes(StandardCharsets.UTF_8)),
                        large.u64,
                        large.f32,
                        large.f64)
                + signed(small.counts)
                + line("", large.ticket.row, large.ticket.price, large.ticket.seat)
                + line("", hex(zoo.notes))
                + text(zoo.animals.get(0))
                + text(zoo.animals.get(1))
                + text(zoo.animals.get(2))
                + text(zoo.food)
                + line("", zoo.last);
    }

    private static String text(Animal animal) {
        return line("", animal.legs, hex(animal.name));
    }

    private static String text(Food food) {
        return switch (food) {
            case Hay hay -> line("", 1, hay.grams);
            case Fish fish -> line("", 2) + signed(fish.pieces) + line("", fish.weight);
        };
    }

    private static String signed(long... values) {
        var words = new StringBuilder();
        for (long value : values) {
            words.append(' ').append(value);
        }
        return words.toString();
    }
}
