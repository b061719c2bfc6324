/* SPDX-License-Identifier: Apache-2.0 */
/* worker_graph in the fuzzer. */
#include <string.h>

#include <doca_urom_plugin.h>
#include <jurom/urom_graph.h>

#include "plugin_fuzz.h"

void urom_plugin_host_left(struct urom_worker_ctx *ctx, uint64_t dest_id);

/* The plugin keeps no state per host. */
void urom_plugin_host_left(struct urom_worker_ctx *ctx, uint64_t dest_id)
{
    (void)ctx;
    (void)dest_id;
}

void forget(void)
{
}

void learn(const uint8_t *bytes, size_t length)
{
    (void)bytes;
    require(length >= sizeof(struct urom_worker_notify_graph));
}

size_t make_command(struct input *input, uint8_t bytes[COMMAND_MAX])
{
    struct urom_worker_graph_cmd command = { .type = take_number(input, 1) % 4 };
    size_t more = take_number(input, 1) % 2 == 0 ? take_number(input, 1) : 0;

    memset(bytes, 0, COMMAND_MAX);
    command.loopback.data = take_length(input);
    memcpy(bytes, &command, sizeof(command));
    take_bytes(input, bytes + sizeof(command), more);
    if (take_number(input, 1) % 16 == 0)
        return take_number(input, 2) % COMMAND_MAX; /* a wrong length */
    return sizeof(command) + more;
}

size_t make_request(struct input *input, uint8_t bytes[COMMAND_MAX])
{
    (void)input;
    (void)bytes;
    return 0;
}
