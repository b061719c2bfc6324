/* SPDX-License-Identifier: Apache-2.0 */
#include "samples.h"

static const uint8_t secret[32] = "0123456789abcdef0123456789ABCDE";
static const uint8_t cpu_set[WIRE_CPU_SET_SIZE] = {0x03, [127] = 0x80};
static const uint8_t address[] = {0xDE, 0xAD, 0x00, 0xBE, 0xEF};
static const uint8_t text[] = "K\xC3\xB6nnte \xE2\x82\xAC \xF0\x9F\x98\x80";
static const uint8_t environment[] = "A=1\0LONG_NAME=with = inside\0EMPTY=";
static const uint8_t worker_ids[16] = {1, [15] = 0xFF};
static const uint8_t plugins[2 * WIRE_PLUGIN_SIZE] = {
    [0] = 1, [8] = 7, [16] = 'g', 'r', 'a', 'p', 'h',
    [64] = 2, [72] = 9, [80] = 's', 'a', 'n', 'd',
};
static const uint8_t plugin_addresses[] = {
    1, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0xA, 0xB, 0xC,
    2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
};

#define BYTES(array) {(array), sizeof(array)}
#define TEXT(array) {(array), sizeof(array) - 1}

static const struct wire_frame samples[] = {
    {.type = WIRE_HELLO, .request_id = 1, .hello = {secret, 4096, 1000}},
    {.type = WIRE_CHALLENGE, .request_id = UINT64_MAX, .server_nonce = secret},
    {.type = WIRE_AUTHENTICATE, .request_id = 2, .mac = secret},
    {.type = WIRE_WELCOME, .welcome = {secret, 4096, 8, 2, cpu_set, BYTES(plugins)}},
    {.type = WIRE_ERROR, .error = {DOCA_ERROR_SKIPPED, TEXT(text)}},
    {.type = WIRE_ERROR, .error = {DOCA_ERROR_UNKNOWN, {text, 0}}},
    {.type = WIRE_SPAWN, .request_id = 3,
     .spawn = {UINT64_MAX, 3, 7, 5, cpu_set, 3, BYTES(environment)}},
    {.type = WIRE_SPAWN, .spawn = {7, 1, 0, 0, NULL, 0, {NULL, 0}}},
    {.type = WIRE_SPAWNED, .spawned = {7, 4711, 3, 5, secret, BYTES(address)}},
    {.type = WIRE_RELEASE, .worker_id = 7},
    {.type = WIRE_RELEASED, .worker_id = 7},
    {.type = WIRE_WORKER_GONE, .worker_gone = {7, 137}},
    {.type = WIRE_GET_GROUP, .get_group = 5},
    {.type = WIRE_GROUP, .group = {2, worker_ids}},
    {.type = WIRE_GROUP, .group = {0, NULL}},
    {.type = WIRE_CONFIGURE, .configure = {secret, 7, 4096, WIRE_FLAG_HAS_CPU_SET, cpu_set}},
    {.type = WIRE_READY, .ready = {4711, BYTES(address)}},
    {.type = WIRE_ATTACH, .attach = {secret, 32, BYTES(address)}},
    {.type = WIRE_ATTACHED, .attached = {9, 2, BYTES(plugin_addresses)}},
    {.type = WIRE_COMMAND, .command = {1, BYTES(address)}},
    {.type = WIRE_COMMAND, .command = {1, {NULL, 0}}},
    {.type = WIRE_NOTIFICATION, .notification = {(doca_error_t)99, BYTES(address)}},
    {.type = WIRE_DETACH, .request_id = 0x0900000001},
    {.type = WIRE_DETACHED},
    {.type = WIRE_DOMAIN, .domain = BYTES(address)},
    {.type = WIRE_DOMAIN_READY},
};

size_t sample_count(void)
{
    return sizeof(samples) / sizeof(samples[0]);
}

const struct wire_frame *sample(size_t index)
{
    return &samples[index];
}
