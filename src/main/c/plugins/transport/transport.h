/* SPDX-License-Identifier: Apache-2.0 */
/*
 * UCX as plugins use it: a context and a worker of their own, links to other workers and hosts, and
 * operations that end at once or later. Used by the worker's thread alone. UCX's settings are its
 * own, but for the transports (settings.c): the other side may be anybody's program.
 */
#ifndef JUROM_PLUGIN_TRANSPORT_H_
#define JUROM_PLUGIN_TRANSPORT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ucp/api/ucp.h>
#include <ucs/datastruct/list.h>

#include <doca_error.h>
#include <doca_log.h>

#include "status.h"

struct transport {
    ucp_context_h context;
    ucp_worker_h worker;
    ucp_address_t *address; /* of the worker */
    size_t address_length;
    int event_fd;
    ucs_list_link_t links; /* the oldest first */
    unsigned link_count;
    unsigned links_max;
    bool closes_links; /* that nobody uses, when there are too many */
};

/*
 * An endpoint to another UCX worker, counted by its users. Without error handling, which shared
 * memory does not have and which both sides would need, UCX frees an endpoint only as long as
 * nothing has come through it; so links stay when nobody uses them, for the next who asks for the
 * same worker, and the oldest are closed when there are too many. Not over tcp, where closing
 * connects first, to wherever an address leads, and waits for the other side.
 */
struct link {
    ucs_list_link_t entry;
    uint64_t worker_uid; /* UCX's own id of the other worker */
    ucp_ep_h endpoint;
    unsigned users;
    bool lasting;     /* something came through it: UCX keeps it as long as the transport */
    unsigned replies; /* for worker_rdmo: its answers that are under way */
};

/*
 * An operation that is under way, embedded in its owner. `done` is called once for each, inside
 * transport_progress or transport_close; the owner may be freed in it.
 */
struct transfer {
    void (*done)(struct transfer *transfer, ucs_status_t status);
    ucp_tag_recv_info_t received; /* of a tagged receive that succeeded */
    void *request;                /* UCX's, of the last one that is under way */
    /* UCX may call back before the call that begins an operation returns. */
    bool beginning;
    bool ended;
    ucs_status_t status;
};

/* Opens a context with the `features` that the plugin needs (UCP_FEATURE_*). */
doca_error_t transport_open(struct transport *transport, uint64_t features);

/*
 * Sends what is left to send and closes. Operations that are not over never will be. When a peer
 * does not take the rest within a moment, UCX stays as it is, which only a process that ends can
 * afford.
 */
void transport_close(struct transport *transport);

/* The plugin's `addr` operation. */
doca_error_t transport_give_address(const struct transport *transport, void *address,
        size_t *length);

/* The plugin's optional `urom_plugin_arm`. */
doca_error_t transport_arm(struct transport *transport, int *fd);

/* How much was done, 0 for nothing. */
static inline unsigned transport_progress(struct transport *transport)
{
    return ucp_worker_progress(transport->worker);
}

/*
 * A link of its own, with one user, to the UCP worker with this packed address, whose bytes may be
 * anybody's. UCS_ERR_EXCEEDS_LIMIT: too many links are in use.
 */
ucs_status_t transport_connect(struct transport *transport, const void *address, size_t length,
        struct link **link);

/* The same, with one link for all who ask for the same worker. */
ucs_status_t transport_reach(struct transport *transport, const void *address, size_t length,
        struct link **link);

/* The same for an address that a worker's domain has, and whose length is not known. */
ucs_status_t transport_reach_worker(struct transport *transport, const void *address,
        struct link **link);

/* One user less. Not inside UCX's callbacks. */
void transport_leave(struct link *link);

/* The link with the endpoint that something came through, or NULL. It is lasting from then on. */
struct link *transport_link_of(struct transport *transport, ucp_ep_h endpoint);

/* Unpacks a packed remote key for use with `link`; free it with ucp_rkey_destroy. */
ucs_status_t transport_unpack_key(const struct link *link, const void *key, size_t length,
        ucp_rkey_h *unpacked);

/*
 * Operations: UCS_OK when they are over and `transfer` is not used, UCS_INPROGRESS when `transfer`
 * will be done, else an error. Buffers belong to UCX until then.
 *
 * What put has written is in the other side's memory once a later flush of the endpoint is over.
 */
ucs_status_t transport_get(struct link *link, ucp_rkey_h key, uint64_t remote, void *local,
        size_t length, struct transfer *transfer);
ucs_status_t transport_put(struct link *link, ucp_rkey_h key, uint64_t remote, const void *local,
        size_t length, struct transfer *transfer);
ucs_status_t transport_flush(struct link *link, struct transfer *transfer);
ucs_status_t transport_send_tagged(struct link *link, uint64_t tag, const void *data,
        size_t length, struct transfer *transfer);
ucs_status_t transport_receive_tagged(struct transport *transport, uint64_t tag, uint64_t tag_mask,
        void *buffer, size_t length, struct transfer *transfer);

/*
 * An active message whose header must stay as it is, too. The receiver can answer to its endpoint.
 */
ucs_status_t transport_send_message(struct link *link, unsigned id, const void *header,
        size_t header_length, const void *data, size_t length, struct transfer *transfer);

/* Has active messages with this id handed to `receive`, whole or announced. */
ucs_status_t transport_receive_messages(struct transport *transport, unsigned id,
        ucp_am_recv_callback_t receive, void *argument);

/* Fetches what an active message has announced. */
ucs_status_t transport_fetch(struct transport *transport, void *announced, void *buffer,
        size_t length, struct transfer *transfer);

/* Has a tagged receive that is under way end with UCS_ERR_CANCELED, if no message is in it yet. */
void transport_cancel(struct transport *transport, struct transfer *transfer);

/*
 * The level at which a UCX failure over what another process has sent is logged: DEBUG, since it
 * could fill the log otherwise, unless the fault is this worker's own.
 */
static inline enum doca_log_level transport_severity(ucs_status_t status)
{
    return status == UCS_ERR_NO_MEMORY ? DOCA_LOG_LEVEL_ERROR : DOCA_LOG_LEVEL_DEBUG;
}

/* Whether there can be memory of `length` bytes, not 0, from `address` on. */
static inline bool transport_is_range(uint64_t address, uint64_t length)
{
    return length > 0 && length <= SIZE_MAX / 2 && address <= UINT64_MAX - (length - 1);
}

/* Whether `length` bytes from `address` on lie within `size` bytes from `start` on. */
static inline bool transport_contains(uint64_t start, uint64_t size, uint64_t address,
        uint64_t length)
{
    return address >= start && address - start <= size && length <= size - (address - start);
}

#endif /* JUROM_PLUGIN_TRANSPORT_H_ */
