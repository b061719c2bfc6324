/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The communication partners of worker_rdmo, for tests: a host, whose memory is modified, and a
 * peer, which sends requests.
 */
#ifndef JUROM_TEST_RDMO_HOST_H_
#define JUROM_TEST_RDMO_HOST_H_

#include <jurom/urom_rdmo.h>

#include "host_memory.h"
#include "plugin_instance.h"

#define HOST 77                        /* dest_id of the host, unless a test has two */
#define OTHER_HOST (HOST | 1ull << 32) /* the lower halves are the same */
#define CLIENT 5                       /* the host's client id */
#define RESPONSES_MAX 64

/* The answer to a flush. */
struct response {
    uint64_t flush_id;
    uint64_t failed;
    doca_error_t status;
};

/* A sender of requests, progressed by the test. */
struct peer {
    ucp_context_h context;
    ucp_worker_h worker;
    ucp_address_t *address;
    size_t address_length;
    ucp_ep_h endpoint; /* to the plugin */
    struct response responses[RESPONSES_MAX];
    unsigned response_count;
};

/* Open and close a peer, which is not connected yet. */
void peer_open(struct peer *peer);
void peer_close(struct peer *peer);

/* Creates an endpoint to the plugin, replacing an earlier one. */
void peer_connect(struct peer *peer, const struct instance *instance);

/* Sends a command and waits for its answer. */
struct urom_worker_notify_rdmo call(struct instance *instance, uint64_t host,
        const struct urom_worker_rdmo_cmd *command, const void *bytes, size_t length,
        doca_error_t *status);

/* The commands, which must be answered with this status. Return the id in the answer. */
void client_init(struct instance *instance, uint64_t host, uint64_t id,
        const struct host_memory *memory, doca_error_t expected);
uint64_t rq_create(
        struct instance *instance, uint64_t host, const struct peer *peer, doca_error_t expected);
void rq_destroy(struct instance *instance, uint64_t host, uint64_t id, doca_error_t expected);
uint64_t mr_reg(struct instance *instance, uint64_t host, const struct host_memory *memory,
        const void *address, size_t length, doca_error_t expected);
void mr_dereg(struct instance *instance, uint64_t host, uint64_t key, doca_error_t expected);

/* Send requests for the client. */
void request(struct peer *peer, const void *header, size_t header_length, const void *data,
        size_t length);
void request_append(struct peer *peer, uint64_t client, uint32_t flags, const void *pointer,
        uint64_t pointer_key, uint64_t data_key, const void *data, size_t length);
void request_scatter(struct peer *peer, uint64_t client, uint32_t flags, uint64_t count,
        const void *data, size_t length);
void request_flush(struct peer *peer, uint64_t client, uint32_t flags, uint64_t flush_id);

/* Adds a vector at `*length` of `data`. */
void add_vector(uint8_t *data, size_t *length, const void *address, uint64_t key, const void *bytes,
        uint16_t count);

/* Sends a flush and waits for its answer. */
struct response flush(struct peer *peer, uint64_t client);

#endif /* JUROM_TEST_RDMO_HOST_H_ */
