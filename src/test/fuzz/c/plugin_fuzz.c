/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libFuzzer target: the input is a script of commands, requests, completed transfers and
 * disconnecting hosts. The plugin accesses only its own memory, answers every command at most
 * once, and keeps no resources after all hosts have disconnected.
 */
#include <stdlib.h>
#include <string.h>

#include <doca_log.h>
#include <doca_urom_plugin.h>

#include "plugin_fuzz.h"
#include "ucp_stub.h"

#define HOSTS 4
#define HOST(number) ((uint64_t)(number) << 32 | 5) /* hosts differ in the upper half only */
#define ROOM 256                                    /* maximum message size */
#define DATA_MAX 200

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
doca_error_t urom_plugin_get_iface(struct urom_plugin_iface *iface);
void urom_plugin_host_left(struct urom_worker_ctx *ctx, uint64_t dest_id);

static struct urom_worker_ctx ctx;

/* Discards the log of the plugins. */
doca_error_t doca_log(uint32_t level, int source, const char *fname, int line, const char *func,
        const char *format, ...)
{
    (void)level;
    (void)source;
    (void)fname;
    (void)line;
    (void)func;
    (void)format;
    return DOCA_SUCCESS;
}

doca_error_t doca_log_register_source(const char *source_name, int *source)
{
    (void)source_name;
    *source = 0;
    return DOCA_SUCCESS;
}

/* The domain: worker 9 does not exist, all others have addresses. */
static doca_error_t addr_lookup(struct urom_worker_ctx *of, uint64_t domain_id, void **addr)
{
    static uint64_t address[3];

    (void)of;
    address[0] = domain_id;
    *addr = address;
    return domain_id == 9 ? DOCA_ERROR_NOT_FOUND : DOCA_SUCCESS;
}

static void give_command(struct input *input)
{
    uint8_t bytes[COMMAND_MAX];
    uint64_t host = HOST(take_number(input, 1) % HOSTS);
    size_t length = make_command(input, bytes);
    struct urom_worker_cmd_desc *desc;
    ucs_list_link_t list;

    if (length > COMMAND_MAX)
        length = COMMAND_MAX;
    desc = malloc(sizeof(*desc) + length);
    if (desc == NULL)
        abort();
    *desc = (struct urom_worker_cmd_desc){ .dest_id = host, .worker_cmd.len = length };
    memcpy(desc->worker_cmd.plugin_cmd, bytes, length);
    ucs_list_head_init(&list);
    ucs_list_add_tail(&list, &desc->entry);
    ctx.iface.worker_cmd(&ctx, &list);
    if (!ucs_list_is_empty(&list))
        abort();
}

static void take_answers(void)
{
    ucs_list_link_t list;

    ucs_list_head_init(&list);
    ctx.iface.progress(&ctx, &list);
    while (!ucs_list_is_empty(&list)) {
        struct urom_worker_notif_desc *desc = ucs_list_extract_head(
                &list, struct urom_worker_notif_desc, entry);
        size_t length = ROOM;
        uint8_t *packed = malloc(ROOM);

        if (packed == NULL || (uint32_t)desc->dest_id != 5 || desc->dest_id >> 32 >= HOSTS
                || ctx.iface.notif_pack(&desc->worker_notif, &length, packed) != DOCA_SUCCESS
                || length < sizeof(desc->worker_notif) || length > ROOM)
            abort();
        learn(packed + sizeof(desc->worker_notif), length - sizeof(desc->worker_notif));
        free(packed);
        free(desc);
    }
}

static void send_request(struct input *input)
{
    uint8_t header[COMMAND_MAX];
    unsigned endpoint = (unsigned)take_number(input, 1);
    size_t header_length = make_request(input, header);
    size_t length = take_number(input, 1) % DATA_MAX;
    uint8_t *data = malloc(length + 1), *copy = malloc(header_length + 1);

    if (data == NULL || copy == NULL)
        abort();
    take_bytes(input, data, length);
    memcpy(copy, header, header_length);
    stub_message(copy, header_length, data, length, endpoint & 64, endpoint % 64);
    free(copy);
    free(data);
}

static void step(struct input *input)
{
    switch (take_number(input, 1) % 8) {
    case 0:
        urom_plugin_host_left(&ctx, HOST(take_number(input, 1) % HOSTS));
        break;
    case 1:
        stub_complete((unsigned)take_number(input, 1) % 8);
        break;
    case 2:
        stub_arrive(take_number(input, 1));
        break;
    case 3:
    case 4:
        send_request(input);
        break;
    default:
        give_command(input);
    }
    take_answers();
}

/*
 * Checks that no resources remain after all hosts have disconnected and all transfers have
 * completed.
 */
static void leave(void)
{
    for (unsigned i = 0; i < HOSTS; ++i)
        urom_plugin_host_left(&ctx, HOST(i));
    for (unsigned i = 0; i < 4; ++i) {
        stub_complete(UINT32_MAX);
        take_answers();
    }
    if (stub_has_keys())
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = { data, size };
    bool leaves;

    stub_begin((unsigned)take_number(&input, 2));
    forget();
    ctx.domain_iface.addr_lookup = addr_lookup;
    if (urom_plugin_get_iface(&ctx.iface) != DOCA_SUCCESS || ctx.iface.open(&ctx) != DOCA_SUCCESS)
        abort();
    leaves = take_number(&input, 1) % 2 == 0;
    while (input.left > 0)
        step(&input);
    if (leaves)
        leave();
    ctx.iface.close(&ctx);
    return 0;
}
