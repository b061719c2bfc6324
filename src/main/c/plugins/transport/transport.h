/* SPDX-License-Identifier: Apache-2.0 */
/*
 * UCX as plugins use it: a context and a worker of their own, endpoints to other workers and hosts,
 * and operations that end at once or later. Used by the worker's thread alone. UCX's settings are
 * its own, but for the transports: the other side may be anybody's program.
 */
#ifndef JUROM_PLUGIN_TRANSPORT_H_
#define JUROM_PLUGIN_TRANSPORT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ucp/api/ucp.h>

#include <doca_error.h>
#include <doca_log.h>

struct link;

struct transport {
    ucp_context_h context;
    ucp_worker_h worker;
    ucp_address_t *address; /* of the worker */
    size_t address_length;
    int event_fd;
    struct link *links; /* endpoints that transport_reach gave out */
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
 * A copy of bytes that may be anybody's, with zeros behind it, for UCX, which unpacks without being
 * told a length. NULL: no memory. To be freed.
 */
void *transport_with_slack(const void *bytes, size_t length);

/*
 * Makes an endpoint to the UCP worker with this packed address, and gives UCX's own id of that
 * worker. Endpoints last as long as the transport: closing one upsets the other side's UCX while it
 * connects.
 */
ucs_status_t transport_connect(struct transport *transport, const void *address,
        uint64_t *worker_uid, ucp_ep_h *endpoint);

/* The same, with one endpoint for all who ask for the same worker. */
ucs_status_t transport_reach(struct transport *transport, const void *address,
        uint64_t *worker_uid, ucp_ep_h *endpoint);

/* Unpacks a packed remote key for use with `endpoint`; free it with ucp_rkey_destroy. */
ucs_status_t transport_unpack_key(ucp_ep_h endpoint, const void *key, size_t length,
        ucp_rkey_h *unpacked);

/*
 * Operations: UCS_OK when they are over and `transfer` is not used, UCS_INPROGRESS when `transfer`
 * will be done, else an error. Buffers belong to UCX until then.
 *
 * What put has written is in the other side's memory once a later flush of the endpoint is over.
 */
ucs_status_t transport_get(ucp_ep_h endpoint, ucp_rkey_h key, uint64_t remote, void *local,
        size_t length, struct transfer *transfer);
ucs_status_t transport_put(ucp_ep_h endpoint, ucp_rkey_h key, uint64_t remote, const void *local,
        size_t length, struct transfer *transfer);
ucs_status_t transport_flush(ucp_ep_h endpoint, struct transfer *transfer);
ucs_status_t transport_send_tagged(ucp_ep_h endpoint, uint64_t tag, const void *data, size_t length,
        struct transfer *transfer);
ucs_status_t transport_receive_tagged(struct transport *transport, uint64_t tag, uint64_t tag_mask,
        void *buffer, size_t length, struct transfer *transfer);

/*
 * An active message whose header must stay as it is, too. The receiver can answer to its endpoint.
 */
ucs_status_t transport_send_message(ucp_ep_h endpoint, unsigned id, const void *header,
        size_t header_length, const void *data, size_t length, struct transfer *transfer);

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

/* Whether `length` bytes from `address` on lie within `size` bytes from `start` on. */
static inline bool transport_contains(uint64_t start, uint64_t size, uint64_t address,
        uint64_t length)
{
    return address >= start && address - start <= size && length <= size - (address - start);
}

#endif /* JUROM_PLUGIN_TRANSPORT_H_ */
