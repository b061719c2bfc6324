/* SPDX-License-Identifier: Apache-2.0 */
#include "payload.h"

#include <string.h>

#include <jurom/urom_graph.h>

_Static_assert(sizeof(struct urom_worker_graph_cmd) == sizeof(struct urom_worker_notify_graph),
        "an answer is as long as its command");

#define FIXED sizeof(struct urom_worker_graph_cmd)

/* The finalizer of SplitMix64. */
static uint64_t mixed(uint64_t value)
{
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
    return value ^ (value >> 31);
}

uint64_t payload_key(uint64_t seed, unsigned worker, unsigned command)
{
    return mixed(mixed(seed + worker) + command);
}

/* Half of the commands are short. */
size_t payload_length(uint64_t key, unsigned bytes)
{
    uint64_t drawn = mixed(key);
    unsigned most = drawn & 1 ? bytes : bytes / 16;

    return FIXED + (size_t)((drawn >> 1) % (most + 1));
}

uint8_t payload_byte(uint64_t key, size_t at)
{
    return (uint8_t)((key >> (at % 8 * 8)) + at);
}

void payload_write(uint64_t key, void *data, size_t length)
{
    struct urom_worker_graph_cmd command = { .type = UROM_WORKER_CMD_GRAPH_LOOPBACK,
        .loopback = { .data = key } };
    uint8_t *bytes = data;

    memcpy(bytes, &command, sizeof(command));
    for (size_t at = sizeof(command); at < length; ++at)
        bytes[at] = payload_byte(key, at);
}

bool payload_answers(uint64_t key, size_t length, const void *data, size_t data_length)
{
    struct urom_worker_notify_graph answer;
    const uint8_t *bytes = data;

    if (data_length != length)
        return false;
    memcpy(&answer, bytes, sizeof(answer));
    if (answer.type != UROM_WORKER_NOTIFY_GRAPH_LOOPBACK || answer.loopback.data != key)
        return false;
    for (size_t at = sizeof(answer); at < length; ++at) {
        if (bytes[at] != payload_byte(key, at))
            return false;
    }
    return true;
}
