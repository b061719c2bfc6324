/* SPDX-License-Identifier: Apache-2.0 */
#include "scribbles.h"

#include <string.h>

#include <jurom/urom_graph.h>

#define COMMAND_MAX 9000
#define CONTROL_WORDS 96 /* of 8 bytes, in the controls of both rings */

/* A valid command. */
void put_command(struct intruder *intruder, uint64_t number)
{
    static uint8_t bytes[WIRE_PREFIX_SIZE + sizeof(struct urom_worker_graph_cmd)];
    struct urom_worker_graph_cmd command = { .type = UROM_WORKER_CMD_GRAPH_LOOPBACK };

    wire_put_command(bytes, number, GRAPH, sizeof(command));
    memcpy(bytes + WIRE_PREFIX_SIZE, &command, sizeof(command));
    (void)intruder_put(intruder, bytes, sizeof(bytes));
}

/* A frame of any type, with a correct or incorrect length. */
void put_almost_a_command(struct intruder *intruder, uint64_t number)
{
    static uint8_t bytes[COMMAND_MAX];
    size_t length = WIRE_PREFIX_SIZE + intruder_random(COMMAND_MAX - WIRE_PREFIX_SIZE);
    uint32_t claimed = (uint32_t)(length - WIRE_HEADER_SIZE);

    for (size_t i = 0; i < length; ++i)
        bytes[i] = (uint8_t)intruder_random(256);
    wire_put_command(bytes, number, intruder_random(4), length - WIRE_PREFIX_SIZE);
    switch (intruder_random(4)) {
    case 0:
        claimed = (uint32_t)intruder_random(UINT32_MAX);
        break;
    case 1:
        claimed -= (uint32_t)intruder_random(24);
        break;
    case 2:
        bytes[3] = (uint8_t)intruder_random(40);
        break;
    }
    memcpy(bytes + 4, &claimed, sizeof(claimed));
    (void)intruder_put(intruder, bytes, length);
}

void scribble_controls(struct intruder *intruder)
{
    volatile uint64_t *words = intruder->memory.base;
    uint64_t value = intruder_random(2) == 0 ? intruder_random(INTRUDER_CAPACITY)
                                             : intruder_random(UINT64_MAX);

    words[intruder_random(CONTROL_WORDS)] = value;
}

void scribble_data(struct intruder *intruder)
{
    uint8_t *data = intruder->memory.rings[intruder_random(2)].data;
    size_t near = intruder_random(4) == 0 ? INTRUDER_CAPACITY : 8192;

    data[intruder_random(near)] = (uint8_t)intruder_random(256);
}

/* Modifies the length of a record that the worker is about to read. */
void scribble_words(struct intruder *intruder)
{
    uint8_t *data = intruder->memory.rings[0].data;
    volatile uint32_t *word = (volatile uint32_t *)(void *)(data + intruder_random(1024) * 8);

    *word = intruder_random(3) == 0 ? (uint32_t)intruder_random(UINT32_MAX)
                                    : 0x80000000u | (uint32_t)intruder_random(70000);
}

void scribble_all(struct intruder *intruder)
{
    static void (*const ways[])(
            struct intruder *) = { scribble_controls, scribble_data, scribble_words };

    ways[intruder_random(3)](intruder);
}
