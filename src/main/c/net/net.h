/* SPDX-License-Identifier: Apache-2.0 */
/*
 * UCX as the software DOCA uses it: active messages between processes, one UCP worker an object.
 * Everything here belongs to one thread, but for the UCP contexts, which the process shares.
 */
#ifndef JUROM_NET_H_
#define JUROM_NET_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include <ucp/api/ucp.h>

#include <doca_error.h>
#include <wire/wire.h>

#include "status.h"

enum net_kind {
    NET_DATA,    /* commands: shared memory on one machine, else RDMA or tcp */
    NET_CONTROL, /* sessions with the service: tcp */
    NET_KINDS,
};

struct net {
    enum net_kind kind;
    ucp_worker_h worker;
    int event_fd; /* readable when there is something to progress, once armed */
    void (*receive)(void *owner, const uint8_t *data, size_t length);
    void *owner;
    struct net_farewell *farewells; /* endpoints that net_finish has yet to close */
};

/* An endpoint that is closed once its flush is over: UCX frees only what is closed by force. */
struct net_farewell {
    struct net_farewell *next;
    ucp_ep_h ep;
    ucs_status_ptr_t flush;
};

/* An outstanding send, embedded in its owner; `done` is called once when it is over. */
struct net_operation {
    void (*done)(struct net_operation *operation, doca_error_t status);
};

struct net_endpoint {
    struct net *net;
    ucp_ep_h ep;
    /* Called once, from net_progress, when the peer is lost (control endpoints only). */
    void (*lost)(struct net_endpoint *endpoint, doca_error_t status);
};

/*
 * Opens a UCP worker that hands the messages of its kind to `receive` with `owner`; a message's
 * bytes are valid until it returns. `net_devices` restricts the process's data context when it is
 * the first to open one (NULL: no restriction).
 */
doca_error_t net_open(struct net *net, enum net_kind kind,
        void (*receive)(void *owner, const uint8_t *data, size_t length), void *owner,
        const char *net_devices);

/* Closes the worker. Its endpoints must be closed; their last bytes are given 50 ms to leave. */
void net_close(struct net *net);

/* Closes the endpoints that net_finish was called for and that have nothing more to send; or all. */
void net_sweep(struct net *net, bool all);

/* Progresses the worker; returns how much it did, 0 for nothing. */
static inline unsigned net_progress(struct net *net)
{
    unsigned found = ucp_worker_progress(net->worker);

    if (net->farewells != NULL)
        net_sweep(net, false);
    return found;
}

/* SUCCESS: event_fd becomes readable when there is something to do. AGAIN: progress first. */
doca_error_t net_arm(struct net *net);

/* This worker's address; free it with net_free_address. */
doca_error_t net_address(struct net *net, ucp_address_t **address, size_t *length);
void net_free_address(struct net *net, ucp_address_t *address);

/* Connects to the worker with this address, or to the listener at a socket address. */
doca_error_t net_connect(struct net_endpoint *endpoint, struct net *net, const void *address);
doca_error_t net_connect_socket(struct net_endpoint *endpoint, struct net *net,
        const struct sockaddr *address, socklen_t length);

/* Closes an endpoint without waiting for the peer; sends that are under way are cancelled. */
void net_disconnect(struct net_endpoint *endpoint);

/* Closes an endpoint when all that was sent has left; net_progress carries that out. */
void net_finish(struct net_endpoint *endpoint);

/*
 * Sends `length` bytes, a command or notification. SUCCESS: sent, `operation` is not used.
 * IN_PROGRESS: the bytes must stay as they are until `operation` is done. Never by rendezvous: an
 * endpoint to a dead peer could not be closed while one is under way (UCX aborts the process).
 */
doca_error_t net_send(struct net_endpoint *endpoint, const void *data, size_t length,
        struct net_operation *operation);

/* Sends any other frame, as the message of the endpoint's kind. TOO_BIG: over WIRE_CONTROL_MAX. */
doca_error_t net_send_frame(struct net_endpoint *endpoint, const struct wire_frame *frame);

/* The process's UCP context of this kind, made at first use. For net.c. */
doca_error_t net_context_acquire(enum net_kind kind, const char *net_devices,
        ucp_context_h *context);
void net_context_release(enum net_kind kind);

#endif /* JUROM_NET_H_ */
