/* SPDX-License-Identifier: Apache-2.0 */
/* One struct with every kind of field that a plugin author can describe. */
#include "codec.h"

#include <string.h>

struct animal {
    uint16_t legs;
    void *name; /* inline */
    uint64_t name_len;
};

struct food {
    uint8_t kind;
    union {
        struct {
            uint32_t grams;
        } hay;
        struct {
            int16_t pieces[3];
            uint64_t weight;
        } fish;
    };
};

struct __attribute__((packed)) ticket {
    uint8_t row;
    uint64_t price;
    int16_t seat;
};

struct zoo {
    uint8_t u8;
    int16_t s16;
    int8_t s8;
    uint16_t u16;
    int64_t s64;
    int32_t s32;
    uint8_t seal[5];
    uint32_t u32;
    char name[11];
    uint64_t u64;
    float f32;
    double f64;
    int32_t counts[3];
    struct ticket ticket;
    void *notes; /* inline */
    uint64_t notes_len;
    struct animal keeper; /* the name comes behind the notes */
    struct animal animals[2];
    struct food food;
    uint8_t last;
};

static struct blob fill_animal(struct animal *animal)
{
    animal->legs = next_u64();
    struct blob name = next_blob();
    animal->name_len = name.length;
    return name;
}

static void fill_food(struct food *food)
{
    food->kind = next_u64();
    if (food->kind == 1) {
        food->hay.grams = next_u64();
        return;
    }
    for (size_t i = 0; i < 3; ++i)
        food->fish.pieces[i] = next_s64();
    food->fish.weight = next_u64();
}

static void fill_bytes(void *field, size_t size)
{
    struct blob bytes = next_blob();

    if (bytes.length > 0)
        memcpy(field, bytes.bytes, bytes.length < size ? bytes.length : size);
}

static void pack_zoo(struct message *message)
{
    struct zoo zoo;
    struct blob animals[2];

    memset(&zoo, 0, sizeof(zoo));
    zoo.u8 = next_u64();
    zoo.s16 = next_s64();
    zoo.s8 = next_s64();
    zoo.u16 = next_u64();
    zoo.s64 = next_s64();
    zoo.s32 = next_s64();
    fill_bytes(zoo.seal, sizeof(zoo.seal));
    zoo.u32 = next_u64();
    fill_bytes(zoo.name, sizeof(zoo.name));
    zoo.u64 = next_u64();
    zoo.f32 = next_double();
    zoo.f64 = next_double();
    for (size_t i = 0; i < 3; ++i)
        zoo.counts[i] = next_s64();
    zoo.ticket.row = next_u64();
    zoo.ticket.price = next_u64();
    zoo.ticket.seat = next_s64();
    struct blob notes = next_blob();
    zoo.notes_len = notes.length;
    struct blob keeper = fill_animal(&zoo.keeper);
    animals[0] = fill_animal(&zoo.animals[0]);
    animals[1] = fill_animal(&zoo.animals[1]);
    fill_food(&zoo.food);
    zoo.last = next_u64();

    append(message, &zoo, sizeof(zoo));
    append(message, notes.bytes, notes.length);
    append(message, keeper.bytes, keeper.length);
    append(message, animals[0].bytes, animals[0].length);
    append(message, animals[1].bytes, animals[1].length);
}

const struct packer zoo_packers[] = { { "zoo", pack_zoo }, { 0 } };
