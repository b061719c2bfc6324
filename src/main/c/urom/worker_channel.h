/* SPDX-License-Identifier: Apache-2.0 */
/* The channel to the worker process, and the addresses of the worker's plugins. */
#ifndef JUROM_WORKER_CHANNEL_H_
#define JUROM_WORKER_CHANNEL_H_

#include <stddef.h>
#include <stdint.h>

#include <channel/channel.h>
#include <common/pe.h>
#include <doca_urom.h>

#include "requests.h"

/* The address of a plugin's own endpoint on the worker, for domains. */
struct worker_plugin_address {
    uint64_t plugin;
    size_t length;
    uint8_t *bytes;
};

struct worker_channel {
    struct channel *handle; /* NULL: not connected */
    struct channel_receiver receiver;
    struct pe_poller poller;
    struct requests requests; /* all requests except commands */
    struct worker_plugin_address *addresses;
    uint32_t address_count;
    bool accepts_deadlines; /* the worker accepts COMMAND_UNTIL and CANCEL */
    uint64_t attach_time;   /* ns, when ATTACH was sent */
    uint64_t clock_offset;  /* to be added to a time of this host: the worker's clock, or later */
};

/*
 * Connects to the worker in a SPAWNED frame. The progress engine then polls and arms the channel
 * through these functions.
 */
doca_error_t worker_channel_connect(struct doca_urom_worker *worker,
        const struct wire_spawned *spawned, unsigned (*poll)(struct pe_poller *poller),
        doca_error_t (*arm)(struct pe_poller *poller));

/* No effect if the channel is not connected. Must not be called from the channel's own poll. */
void worker_channel_disconnect(struct doca_urom_worker *worker);

/*
 * Copies the plugins' addresses from an ATTACHED frame, and the difference of the clocks: at most
 * one round trip later than the worker's clock.
 */
doca_error_t worker_channel_store_attached(
        struct worker_channel *channel, const struct wire_attached *attached);

/* Drops the requests and the addresses. */
void worker_channel_reset(struct worker_channel *channel);

#endif /* JUROM_WORKER_CHANNEL_H_ */
