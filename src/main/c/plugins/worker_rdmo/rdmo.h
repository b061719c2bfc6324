/* SPDX-License-Identifier: Apache-2.0 */
/*
 * worker_rdmo: remote direct memory operations. A host becomes a *client* of this worker, registers
 * memory and creates a receive queue for each of its *peers*. Peers send requests as UCX active
 * messages directly to the worker, which executes them on the client's memory. Parts: commands.c
 * (commands of hosts), client.c, region.c (registered memory), request.c (requests of peers) and,
 * for the operations, operation.c, append.c, scatter.c and control.c.
 *
 * The operations of one client are executed serially, in order of arrival. UCX does not check the
 * target of a write: region_find does so before each access.
 */
#ifndef JUROM_RDMO_H_
#define JUROM_RDMO_H_

#include <stdbool.h>
#include <stdint.h>

#include <doca_urom_plugin.h>
#include <jurom/urom_rdmo.h>

#include "../transport/answer.h"
#include "../transport/transport.h"
#include "rdmo_command.h"

#define RDMO_MESSAGE 0                  /* UCX active message id of requests and responses */
#define RDMO_DATA_MAX (64u << 20)       /* bytes of one request's data */
#define RDMO_BACKLOG_MAX (256u << 20)   /* bytes of data queued for one client */
#define RDMO_BACKLOG_ALL_MAX (1u << 30) /* for all clients, including departed ones */
#define RDMO_REQUESTS_MAX 65536         /* queued for one client */
#define RDMO_QUEUE_REQUESTS_MAX 16384   /* of these, from one queue */
#define RDMO_REPLIES_MAX 16384          /* responses in flight to one peer */
#define RDMO_REGIONS_MAX 65536          /* of one client */
#define RDMO_QUEUES_MAX 4096            /* of one client */

struct rdmo {
    struct transport transport;
    ucs_list_link_t answers; /* ready to be taken */
    ucs_list_link_t clients;
    ucs_list_link_t departed;  /* clients whose memory UCX still uses */
    ucs_list_link_t responses; /* in flight to peers */
    uint64_t backlog;          /* bytes of the data of all operations */
};

/* A client's memory. */
struct region {
    uint64_t key; /* identifies it in requests */
    uint64_t address;
    uint64_t length;
    ucp_rkey_h remote_key;
    bool ending; /* hidden from requests */
};

/*
 * A receive queue, which authorises one peer to send requests to a client. Requests arrive through
 * any link to the peer's UCX worker. UCX pairs the endpoints of two workers in order of creation,
 * so each queue creates one. The endpoint of a request thus identifies its peer, and only peers
 * that a host has named can send.
 */
struct queue {
    ucs_list_link_t entry; /* in its client's queues */
    uint64_t id;
    struct link *link;
    bool ending;
    unsigned requests; /* queued */
    /* Number of requests that failed since the last flush, and the status of the first. */
    uint64_t failed;
    doca_error_t status;
};

struct client {
    ucs_list_link_t entry;
    struct rdmo *rdmo;
    uint64_t id;             /* identifies it in requests */
    uint64_t owner;          /* dest_id of its host */
    struct link *link;       /* to its host's UCP worker */
    struct region **regions; /* by slot; NULL: free */
    uint32_t region_capacity;
    uint32_t first_free; /* no slot before this one is free */
    ucs_list_link_t queues;
    uint64_t last_queue;
    uint32_t queue_count;
    ucs_list_link_t operations; /* the first is executing; of a departed client, all are */
    unsigned requests;          /* among them */
    size_t backlog;             /* bytes of their data */
    bool dirty;                 /* something was written since the last flush */
};

struct operation;

/* The steps of a kind of operation. */
struct operation_kind {
    const char *name;
    /*
     * Executes step `operation->step`. Returns UCS_OK to continue with the next step, or to stop if
     * it has set `over`; UCS_INPROGRESS to continue when `operation->transfers` have completed;
     * else the operation has failed.
     */
    ucs_status_t (*step)(struct operation *operation);
    /* Called once when the operation has completed or failed. May be NULL. */
    void (*end)(struct operation *operation, ucs_status_t status);
};

struct operation {
    ucs_list_link_t entry;
    const struct operation_kind *kind;
    struct client *client;
    struct queue *queue; /* of a request, or to end */
    struct link *reply;  /* to the peer that a flush answers */
    uint64_t flush_id;
    bool fence;
    bool is_request; /* sent by a peer through the queue */
    bool queued;     /* its bytes are counted */
    unsigned step;
    bool over;
    ucs_status_t status; /* the first error */
    struct transfer transfer;
    unsigned transfers;    /* in flight */
    struct region *region; /* append: holds the pointer; deregister: to be removed */
    struct urom_worker_notif_desc *answer; /* for a command of the host */
    /* A request. */
    struct urom_rdmo_append_hdr append;
    uint64_t count;   /* scatter: remaining vectors */
    uint64_t pointer; /* append: target address, then that of the next append */
    uint8_t *data;
    size_t length;
    size_t at; /* scatter: offset of the next vector */
};

extern const struct operation_kind operation_flush;
extern const struct operation_kind operation_append;
extern const struct operation_kind operation_scatter;
extern const struct operation_kind operation_deregister;
extern const struct operation_kind operation_end_queue;
extern const struct operation_kind operation_await_end;

/* client.c: returns the client of the host with this dest_id, or NULL. */
struct client *client_of(struct rdmo *rdmo, uint64_t owner);

/* client.c: returns the client with this id, or NULL. */
struct client *client_find(struct rdmo *rdmo, uint64_t id);

/* client.c: creates the host's client. ALREADY_EXIST: the host has one, or the id is in use. */
doca_error_t client_new(struct rdmo *rdmo, uint64_t owner, uint64_t id, struct bytes address);

/*
 * client.c: handles the departure of the host. Flushes are answered, other operations are dropped.
 * clients_sweep frees what transfers in flight still use.
 */
void client_leave(struct client *client);

/*
 * client.c: frees departed clients, with their memory and keys, whose transfers have completed.
 * Must not be called from UCX's callbacks.
 */
void clients_sweep(struct rdmo *rdmo);

/* client.c: frees a departed client after UCX has been closed. */
void client_free(struct client *client);

/* client.c: creates a queue for the peer with this address. FULL: RDMO_QUEUES_MAX. */
doca_error_t client_add_queue(struct client *client, struct bytes address, uint64_t *id);

/* client.c: returns the client's queue with this id, which may be ending, or NULL. */
struct queue *client_find_queue(struct client *client, uint64_t id);

/* client.c: frees the queue and drops its use of the link. */
void client_remove_queue(struct client *client, struct queue *queue);

/* client.c: returns the client's queue for requests through this link, or NULL. */
struct queue *client_queue_of(struct client *client, const struct link *link);

/* region.c: registers memory and returns its key. FULL, or UCX rejects the remote key. */
doca_error_t region_add(struct client *client, const struct command_mr_reg *command, uint64_t *key);

/* region.c: returns the registered memory with this key, or NULL. */
struct region *region_with_key(struct client *client, uint64_t key);

/*
 * region.c: finds the memory with this key and checks that it contains `length` bytes at `address`.
 * UCS_ERR_NO_ELEM: unknown key. UCS_ERR_INVALID_PARAM: out of bounds.
 */
ucs_status_t region_find(struct client *client, uint64_t key, uint64_t address, uint64_t length,
        struct region **region);

/* region.c: removes and frees the region. */
void region_remove(struct client *client, struct region *region);

/* request.c: starts receiving requests. */
doca_error_t requests_receive(struct rdmo *rdmo);

/* response.c: notifies a peer that a flush has completed, and of the failures before it. */
void respond_flush(struct rdmo *rdmo, struct link *peer, uint64_t flush_id, uint64_t failed,
        doca_error_t status);

/* response.c: answers a flush with the queue's failures, and resets their count. */
void queue_answer_flush(
        struct rdmo *rdmo, struct queue *queue, struct link *peer, uint64_t flush_id);

/* response.c: frees the responses in flight after UCX has been closed. */
void responses_free(struct rdmo *rdmo);

/*
 * operation.c: creates an operation of the client, for a queue's request unless `queue` is NULL.
 * Returns NULL if there is no memory.
 */
struct operation *operation_new(
        struct client *client, const struct operation_kind *kind, struct queue *queue);

/* operation.c: appends the operation to those of its client, and counts its bytes. */
void operation_queue(struct operation *operation);

/*
 * operation.c: ends the client's operations, notifying peers but not hosts. operations_drained
 * frees them.
 */
void operations_drop(struct client *client);

/* operation.c: frees operations without transfers in flight. Returns false if others remain. */
bool operations_drained(struct client *client);

/* operation.c: frees the operation, including an unsent answer, and uncounts it. */
void operation_free(struct operation *operation);

/* operation.c: counts a failed request of the queue. */
void operation_count_failure(struct queue *queue, ucs_status_t status);

/* operation.c: ends a request whose failure is only counted by its queue. */
void operation_end_request(struct operation *operation, ucs_status_t status);

/* operation.c: sends the operation's answer, if any. */
void operation_answer(struct operation *operation, ucs_status_t status);

/*
 * operation.c: executes operations that are ready. Must not be called from UCX's callbacks. Returns
 * false if there was nothing to do.
 */
bool operations_run(struct rdmo *rdmo);

/* operation.c: counts a transfer that began with this status if it is in flight. */
ucs_status_t operation_begun(struct operation *operation, ucs_status_t status);

/* operation.c: flushes the writes of the client's operations. */
ucs_status_t operation_settle(struct operation *operation);

/*
 * commands.c: executes a command, and answers it now or later. After INVALID_VALUE or NO_MEMORY,
 * the command is not answered.
 */
doca_error_t command_run(struct rdmo *rdmo, const struct urom_worker_cmd_desc *desc);

#endif /* JUROM_RDMO_H_ */
