/* SPDX-License-Identifier: Apache-2.0 */
/*
 * worker_rdmo: remote direct memory operations. A host makes itself a *client* of this worker and
 * registers memory; *peers*, for which it makes receive queues, send requests as UCX active
 * messages straight to the worker, which carries them out on the client's memory. Its parts:
 * commands.c (what hosts ask for), client.c, region.c (registered memory), request.c (what peers
 * send) and, for the operations, operation.c, append.c, scatter.c and control.c.
 *
 * The operations of one client are carried out one after the other, in the order in which they
 * arrive. UCX does not check where it writes: region_find does, before each access.
 */
#ifndef JUROM_RDMO_H_
#define JUROM_RDMO_H_

#include <stdbool.h>
#include <stdint.h>

#include <doca_urom_plugin.h>
#include <jurom/urom_rdmo.h>

#include "../transport/answer.h"
#include "../transport/transport.h"
#include "command.h"

#define RDMO_MESSAGE 0 /* UCX active message id of requests and responses */
#define RDMO_DATA_MAX (64u << 20)     /* bytes of one request's data */
#define RDMO_BACKLOG_MAX (256u << 20) /* bytes of data that wait for one client */
#define RDMO_BACKLOG_ALL_MAX (1u << 30) /* for all clients, and for departed ones */
#define RDMO_REQUESTS_MAX 65536       /* that wait for one client */
#define RDMO_QUEUE_REQUESTS_MAX 16384 /* of one queue among them */
#define RDMO_REPLIES_MAX 16384        /* under way to one peer, which does not take them */
#define RDMO_REGIONS_MAX 65536        /* of one client */
#define RDMO_QUEUES_MAX 4096          /* of one client */

struct rdmo {
    struct transport transport;
    ucs_list_link_t answers; /* ready to be taken */
    ucs_list_link_t clients;
    ucs_list_link_t departed; /* clients that wait for UCX to let go of their memory */
    ucs_list_link_t responses; /* under way to peers */
    uint64_t backlog;          /* bytes of the data of all operations */
};

/* A client's memory. */
struct region {
    uint64_t key; /* names it in requests */
    uint64_t address;
    uint64_t length;
    ucp_rkey_h remote_key;
    bool ending; /* no request finds it any more */
};

/*
 * What a client accepts a peer's requests by: they come through any link to the peer's UCX worker.
 * UCX pairs the endpoints of two workers in the order in which they are made: the first that a peer
 * makes to this worker is the first that is made to it here, and so on. So each queue makes one,
 * the endpoint of a request says who has sent it, and only peers that a host has named can send.
 */
struct queue {
    ucs_list_link_t entry; /* in its client's queues */
    uint64_t id;
    struct link *link;
    bool ending;
    unsigned requests; /* that wait */
    /* Requests that were not carried out since the last flush, and why the first one was not. */
    uint64_t failed;
    doca_error_t status;
};

struct client {
    ucs_list_link_t entry;
    struct rdmo *rdmo;
    uint64_t id;    /* names it in requests */
    uint64_t owner; /* dest_id of its host */
    struct link *link; /* to its host's UCP worker */
    struct region **regions; /* by slot; NULL: free */
    uint32_t region_capacity;
    uint32_t first_free; /* no slot before this one is free */
    ucs_list_link_t queues;
    uint64_t last_queue;
    uint32_t queue_count;
    ucs_list_link_t operations; /* the first is under way; of a departed client, all are */
    unsigned requests;          /* among them */
    size_t backlog;             /* bytes of their data */
    bool dirty;                 /* something was written and not flushed yet */
};

struct operation;

/* How a kind of operation is carried out, step by step. */
struct operation_kind {
    const char *name;
    /*
     * Takes the step with the number `operation->step`. UCS_OK: go on with the next one, or stop
     * when it has set `over`. UCS_INPROGRESS: as soon as `operation->transfers` are over. Else: it
     * failed.
     */
    ucs_status_t (*step)(struct operation *operation);
    /* Called once when it is over, or has failed. May be NULL. */
    void (*end)(struct operation *operation, ucs_status_t status);
};

struct operation {
    ucs_list_link_t entry;
    const struct operation_kind *kind;
    struct client *client;
    struct queue *queue; /* of a request, or to end */
    struct link *reply;  /* to whom a flush answers */
    uint64_t flush_id;
    bool fence;
    bool is_request; /* of a peer, by the queue */
    bool queued;     /* its bytes are counted */
    unsigned step;
    bool over;
    ucs_status_t status; /* the first that went wrong */
    struct transfer transfer;
    unsigned transfers; /* under way */
    struct region *region; /* append: that of the pointer; deregister: the one to end */
    struct urom_worker_notif_desc *answer; /* of a host's own */
    /* A request. */
    struct urom_rdmo_append_hdr append;
    uint64_t count;  /* vectors of a scatter that are left */
    uint64_t pointer; /* append: where; then where the next one goes */
    uint8_t *data;
    size_t length;
    size_t at; /* scatter: where the next vector is */
};

extern const struct operation_kind operation_flush;
extern const struct operation_kind operation_append;
extern const struct operation_kind operation_scatter;
extern const struct operation_kind operation_deregister;
extern const struct operation_kind operation_end_queue;
extern const struct operation_kind operation_await_end;

/* client.c: the client of this host, or with this id, or NULL. */
struct client *client_of(struct rdmo *rdmo, uint64_t owner);
struct client *client_find(struct rdmo *rdmo, uint64_t id);

/* client.c: makes the host's client. ALREADY_EXIST: the host has one, or the id is taken. */
doca_error_t client_new(struct rdmo *rdmo, uint64_t owner, uint64_t id, struct bytes address);

/*
 * client.c: the host has left. Flushes are answered, all else is dropped; the memory of transfers
 * that are under way, and the keys that these may use, go when they are over: clients_sweep, to be
 * called outside UCX's callbacks, frees them then.
 */
void client_leave(struct client *client);
void clients_sweep(struct rdmo *rdmo);

/* client.c: frees a departed client without a look at UCX, which is closed. */
void client_free(struct client *client);

/* client.c: makes a queue for the peer with this address. FULL. */
doca_error_t client_add_queue(struct client *client, struct bytes address, uint64_t *id);
struct queue *client_find_queue(struct client *client, uint64_t id); /* also one that ends */
void client_remove_queue(struct client *client, struct queue *queue);

/* client.c: the queue by which the client accepts requests through this link, or NULL. */
struct queue *client_queue_of(struct client *client, const struct link *link);

/* region.c: registers memory and gives its key. FULL, or that UCX does not take the remote key. */
doca_error_t region_add(struct client *client, const struct command_mr_reg *command, uint64_t *key);

/* region.c: the memory with this key, or NULL: there is none, or it was deregistered. */
struct region *region_with_key(struct client *client, uint64_t key);

/*
 * region.c: the memory with this key, which holds `length` bytes from `address` on.
 * UCS_ERR_NO_ELEM: there is none. UCS_ERR_INVALID_PARAM: it does not hold them.
 */
ucs_status_t region_find(struct client *client, uint64_t key, uint64_t address, uint64_t length,
        struct region **region);

/* region.c: takes it out and frees it. */
void region_remove(struct client *client, struct region *region);

/* request.c: receives requests from now on. */
doca_error_t requests_receive(struct rdmo *rdmo);

/* response.c: tells a peer that a flush is over, and what failed before it. */
void respond_flush(struct rdmo *rdmo, struct link *peer, uint64_t flush_id, uint64_t failed,
        doca_error_t status);

/* response.c: tells what of the queue's requests has failed, and begins to count anew. */
void queue_answer_flush(struct rdmo *rdmo, struct queue *queue, struct link *peer,
        uint64_t flush_id);

void responses_free(struct rdmo *rdmo);

/*
 * operation.c: an operation of the client, of a queue's request unless that is NULL. NULL: no
 * memory. And putting it behind the others.
 */
struct operation *operation_new(struct client *client, const struct operation_kind *kind,
        struct queue *queue);
void operation_queue(struct operation *operation);

/*
 * operation.c: tells the peers that the client's operations are over, and the hosts nothing. They
 * are freed by operations_drained.
 */
void operations_drop(struct client *client);

/* operation.c: frees those whose transfers are over. False: some are not. */
bool operations_drained(struct client *client);

/* operation.c: frees it, with its answer if that was not given, and counts it no longer. */
void operation_free(struct operation *operation);

/* operation.c: counts a request of the queue that was not carried out. */
void operation_count_failure(struct queue *queue, ucs_status_t status);

/* operation.c: the end of a request that has no answer but its queue's count of failures. */
void operation_end_request(struct operation *operation, ucs_status_t status);

/* operation.c: gives the answer, if the operation has one. */
void operation_answer(struct operation *operation, ucs_status_t status);

/*
 * operation.c: carries out what can be. Not inside UCX's callbacks. False: nothing was to be done.
 */
bool operations_run(struct rdmo *rdmo);

/* operation.c: a transfer of the operation was begun with this status; counts it if under way. */
ucs_status_t operation_begun(struct operation *operation, ucs_status_t status);

/* operation.c: waits until all that the client's operations have written is there. */
ucs_status_t operation_settle(struct operation *operation);

#endif /* JUROM_RDMO_H_ */
