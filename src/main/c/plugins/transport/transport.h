/* SPDX-License-Identifier: Apache-2.0 */
/*
 * UCX for plugins: a context and a UCP worker per plugin, links to other workers and hosts, and
 * asynchronous operations. Used only by the worker's thread. Apart from the transports
 * (settings.c), UCX keeps its own settings, because peers may be arbitrary programs.
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
    bool closes_links; /* unused ones, when there are too many */
};

/*
 * A reference-counted endpoint to another UCX worker. Without error handling, which both sides
 * would need and shared memory does not support, UCX frees an endpoint only if nothing has arrived
 * through it. Unused links are therefore kept for reuse, and the oldest are closed when there are
 * too many. Links over tcp are not closed, because closing first connects to the peer and waits.
 */
struct link {
    ucs_list_link_t entry;
    uint64_t worker_uid; /* UCX's own id of the other worker */
    ucp_ep_h endpoint;
    unsigned users;
    bool lasting;     /* a message arrived through it: UCX keeps it until the transport closes */
    unsigned replies; /* for worker_rdmo: number of its responses in flight */
};

/*
 * An operation in flight, embedded in its owner. `done` is called once per operation, from
 * transport_progress or transport_close, and may free the owner.
 */
struct transfer {
    void (*done)(struct transfer *transfer, ucs_status_t status);
    ucp_tag_recv_info_t received; /* of a tagged receive that succeeded */
    void *request;                /* of UCX, for the last operation in flight */
    /* UCX may call back before the call that begins an operation returns. */
    bool beginning;
    bool ended;
    ucs_status_t status;
};

/* Opens a context and a worker with these `features` (UCP_FEATURE_*). */
doca_error_t transport_open(struct transport *transport, uint64_t features);

/*
 * Flushes and closes. Operations in flight are never completed. If a peer does not receive the rest
 * within 0.2 s, UCX's objects are leaked, so call this only before the process exits.
 */
void transport_close(struct transport *transport);

/* The plugin's `addr` operation. */
doca_error_t transport_give_address(
        const struct transport *transport, void *address, size_t *length);

/* The plugin's optional `urom_plugin_arm`. */
doca_error_t transport_arm(struct transport *transport, int *fd);

/* Progresses UCX; returns 0 if there was nothing to do. */
static inline unsigned transport_progress(struct transport *transport)
{
    return ucp_worker_progress(transport->worker);
}

/*
 * Creates a link with one user to the UCP worker with this packed address, which need not be
 * trusted. Returns UCS_ERR_EXCEEDS_LIMIT if too many links are in use.
 */
ucs_status_t transport_connect(
        struct transport *transport, const void *address, size_t length, struct link **link);

/* The same, but shares one link among all callers for the same worker. */
ucs_status_t transport_reach(
        struct transport *transport, const void *address, size_t length, struct link **link);

/* The same for an address of a worker's domain, whose length is unknown. */
ucs_status_t transport_reach_worker(
        struct transport *transport, const void *address, struct link **link);

/* Drops a user. Must not be called from UCX's callbacks. */
void transport_leave(struct link *link);

/* Returns the link of an endpoint that received a message, or NULL, and marks it as lasting. */
struct link *transport_link_of(struct transport *transport, ucp_ep_h endpoint);

/* Unpacks a packed remote key for use with `link`; free it with ucp_rkey_destroy. */
ucs_status_t transport_unpack_key(
        const struct link *link, const void *key, size_t length, ucp_rkey_h *unpacked);

/*
 * Operations. They return UCS_OK if completed without using `transfer`, UCS_INPROGRESS if
 * `transfer` will complete later, else an error. Buffers belong to UCX until completion.
 */

/* Reads `length` bytes at the remote address `remote` into `local`. */
ucs_status_t transport_get(struct link *link, ucp_rkey_h key, uint64_t remote, void *local,
        size_t length, struct transfer *transfer);

/*
 * Writes `length` bytes to the remote address `remote`. They are in the remote memory once a later
 * transport_flush of the link has completed.
 */
ucs_status_t transport_put(struct link *link, ucp_rkey_h key, uint64_t remote, const void *local,
        size_t length, struct transfer *transfer);

/* Flushes the link: completes when its earlier operations have completed at the peer. */
ucs_status_t transport_flush(struct link *link, struct transfer *transfer);

/* Sends `length` bytes as a message with this tag. */
ucs_status_t transport_send_tagged(struct link *link, uint64_t tag, const void *data, size_t length,
        struct transfer *transfer);

/*
 * Receives a message of at most `length` bytes whose tag equals `tag` in the bits of `tag_mask`,
 * over any link. On success, `transfer->received` has its tag and length.
 */
ucs_status_t transport_receive_tagged(struct transport *transport, uint64_t tag, uint64_t tag_mask,
        void *buffer, size_t length, struct transfer *transfer);

/*
 * Sends an active message. The header, too, belongs to UCX until completion. The receiver can reply
 * to the sender's endpoint.
 */
ucs_status_t transport_send_message(struct link *link, unsigned id, const void *header,
        size_t header_length, const void *data, size_t length, struct transfer *transfer);

/* Registers `receive` for active messages with this id, both complete and announced ones. */
ucs_status_t transport_receive_messages(
        struct transport *transport, unsigned id, ucp_am_recv_callback_t receive, void *argument);

/* Fetches the data that an active message has announced. */
ucs_status_t transport_fetch(struct transport *transport, void *announced, void *buffer,
        size_t length, struct transfer *transfer);

/* Cancels a tagged receive, which ends with UCS_ERR_CANCELED unless a message has matched. */
void transport_cancel(struct transport *transport, struct transfer *transfer);

/*
 * The level at which a UCX failure over what another process has sent is logged: DEBUG, since it
 * could fill the log otherwise, unless the fault is this worker's own.
 */
static inline enum doca_log_level transport_severity(ucs_status_t status)
{
    return status == UCS_ERR_NO_MEMORY ? DOCA_LOG_LEVEL_ERROR : DOCA_LOG_LEVEL_DEBUG;
}

/* Returns whether memory of `length` bytes, not 0, can begin at `address`. */
static inline bool transport_is_range(uint64_t address, uint64_t length)
{
    return length > 0 && length <= SIZE_MAX / 2 && address <= UINT64_MAX - (length - 1);
}

/* Returns whether the `length` bytes at `address` are within the `size` bytes at `start`. */
static inline bool transport_contains(
        uint64_t start, uint64_t size, uint64_t address, uint64_t length)
{
    return address >= start && address - start <= size && length <= size - (address - start);
}

#endif /* JUROM_PLUGIN_TRANSPORT_H_ */
