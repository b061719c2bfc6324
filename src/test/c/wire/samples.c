/* SPDX-License-Identifier: Apache-2.0 */
#include "samples.h"

static const uint8_t ticket[WIRE_TICKET_SIZE] = "0123456789abcdef0123456789ABCDEF0123456789abcde";
static const uint8_t cpu_set[WIRE_CPU_SET_SIZE] = { 0x03, [127] = 0x80 };
static const uint8_t bytes[] = { 0xDE, 0xAD, 0x00, 0xBE, 0xEF };
static const uint8_t local[] = "unix:/run/w\xC3\xB6rker.7";
static const uint8_t remote[] = "2001:db8::1";
static const uint8_t path[] = "/run/w\xC3\xB6rker.7";
static const uint8_t cgroup[] = "/sys/fs/cgroup/a";
static const uint8_t limits[16] = { 1, [15] = 0x80 };
static const uint8_t why[] = "The worker did not answer a ping for 5 s.";
static const uint8_t text[] = "K\xC3\xB6nnte \xE2\x82\xAC \xF0\x9F\x98\x80";
static const uint8_t environment[] = "A=1\0LONG_NAME=with = inside\0EMPTY=";
static const uint8_t worker_ids[16] = { 1, [15] = 0xFF };
static const uint8_t plugins[2 * WIRE_PLUGIN_SIZE] = {
    [0] = 1,
    [8] = 7,
    [16] = 'g',
    'r',
    'a',
    'p',
    'h',
    [64] = 2,
    [72] = 9,
    [80] = 's',
    'a',
    'n',
    'd',
};
static const uint8_t plugin_addresses[] = {
    1,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    3,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0xA,
    0xB,
    0xC,
    2,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
};

#define BYTES(array) \
    { \
        (array), sizeof(array) \
    }
#define TEXT(array) \
    { \
        (array), sizeof(array) - 1 \
    }

static const struct wire_frame samples[] = {
    { .type = WIRE_HELLO, .request_id = 1, .hello = { 4096, "1.2.3" } },
    { .type = WIRE_WELCOME, .welcome = { 4096, 8, 2, cpu_set, BYTES(plugins) } },
    { .type = WIRE_ERROR, .error = { DOCA_ERROR_SKIPPED, TEXT(text) } },
    { .type = WIRE_ERROR, .error = { DOCA_ERROR_UNKNOWN, { text, 0 } } },
    { .type = WIRE_SPAWN,
            .request_id = 3,
            .spawn = { UINT64_MAX, 3, 7, 5, cpu_set, 3, BYTES(environment) } },
    { .type = WIRE_SPAWN, .spawn = { 7, 1, 0, 0, NULL, 0, { NULL, 0 } } },
    { .type = WIRE_SPAWNED, .spawned = { 7, 4711, 3, 5, ticket, TEXT(local) } },
    { .type = WIRE_SPAWNED, .spawned = { 7, 1, WIRE_FLAG_OFFERS_UCX, 0, ticket, TEXT(remote) } },
    { .type = WIRE_RELEASE, .worker_id = 7 },
    { .type = WIRE_RELEASED, .worker_id = 7 },
    { .type = WIRE_WORKER_GONE, .worker_gone = { 7, 137, WIRE_FLAG_UNRESPONSIVE, TEXT(why) } },
    { .type = WIRE_WORKER_GONE, .worker_gone = { 7, 0, 0, { NULL, 0 } } },
    { .type = WIRE_GET_GROUP, .get_group = 5 },
    { .type = WIRE_GROUP, .group = { 2, worker_ids } },
    { .type = WIRE_GROUP, .group = { 0, NULL } },
    { .type = WIRE_LAUNCH,
            .request_id = 4,
            .launch = { 1000, 100, 3, UINT64_MAX, 2, limits, TEXT(path), TEXT(cgroup), 3,
                    BYTES(environment) } },
    { .type = WIRE_LAUNCH, .launch = { .flags = 0 } },
    { .type = WIRE_CONFIGURE, .configure = { 7, 4096, WIRE_FLAG_HAS_CPU_SET, cpu_set } },
    { .type = WIRE_READY, .ready = { 4711 } },
    { .type = WIRE_TICKET,
            .request_id = 5,
            .ticket = { ticket, UINT64_MAX, 20000, WIRE_FLAG_OVER_TCP, 1024, 65535,
                    TEXT(remote) } },
    { .type = WIRE_TICKET,
            .ticket = { ticket, 1, 1, WIRE_FLAG_OVER_TCP | WIRE_FLAG_OFFERS_UCX, 0, 0,
                    TEXT(remote) } },
    { .type = WIRE_TICKET, .ticket = { ticket, 3, 20000, 0, 0, 0, { NULL, 0 } } },
    { .type = WIRE_LISTENING, .request_id = 5, .listening = { 65535 } },
    { .type = WIRE_HOST_GONE, .session = 3 },
    { .type = WIRE_PING, .request_id = UINT64_MAX },
    { .type = WIRE_PONG, .request_id = UINT64_MAX },
    { .type = WIRE_DRAIN },
    { .type = WIRE_ATTACH, .attach = { 32 } },
    { .type = WIRE_ATTACHED, .attached = { UINT64_MAX, 2, BYTES(plugin_addresses) } },
    { .type = WIRE_COMMAND, .command = { 1, BYTES(bytes) } },
    { .type = WIRE_COMMAND, .command = { 1, { NULL, 0 } } },
    { .type = WIRE_NOTIFICATION, .notification = { (doca_error_t)99, BYTES(bytes) } },
    { .type = WIRE_DETACH, .request_id = 0x0900000001 },
    { .type = WIRE_DETACHED },
    { .type = WIRE_DOMAIN, .domain = BYTES(bytes) },
    { .type = WIRE_DOMAIN_READY },
};

size_t sample_count(void)
{
    return sizeof(samples) / sizeof(samples[0]);
}

const struct wire_frame *sample(size_t index)
{
    return &samples[index];
}

size_t sample_of(enum wire_type type)
{
    size_t i = 0;

    while (samples[i].type != type)
        i++;
    return i;
}
