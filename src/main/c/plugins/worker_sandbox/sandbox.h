/* SPDX-License-Identifier: Apache-2.0 */
/*
 * worker_sandbox: UCX tagged messages between the workers of a domain. Its parts: mapping.c (host
 * memory), peer.c (the workers it sends to), send.c, receive.c, message.c (what the last two
 * share), host.c (what each host has here).
 *
 * Everything that a host makes here is its own, known by the host's dest_id, and goes with it; but
 * for what UCX has not let go of yet: a transfer to memory that nobody progresses any more.
 */
#ifndef JUROM_SANDBOX_H_
#define JUROM_SANDBOX_H_

#include <stdbool.h>
#include <stdint.h>

#include <doca_urom_plugin.h>

#include "../transport/answer.h"
#include "../transport/transport.h"
#include "command.h"

struct sandbox {
    struct urom_worker_ctx *ctx;
    struct transport transport;
    ucs_list_link_t hosts;
    ucs_list_link_t answers;  /* ready to be taken */
    ucs_list_link_t messages; /* under way */
    ucs_list_link_t peers;
    ucs_list_link_t mappings;
    uint64_t last_mapping; /* the last id that was given out */
    uint64_t bytes;        /* in the messages of all hosts */
    bool has_departed;     /* a host has left, and something of it is still in use */
};

#define SANDBOX_MAPPINGS_MAX 4096         /* of one host */
#define SANDBOX_MESSAGES_MAX 65536        /* of one host, under way */
#define SANDBOX_BYTES_MAX (256u << 20)    /* in them */
#define SANDBOX_ALL_BYTES_MAX (1u << 30)  /* in those of all hosts, departed ones among them */

/* What a host has here. */
struct host {
    ucs_list_link_t entry;
    uint64_t id; /* its dest_id */
    bool gone;
    unsigned mappings;
    unsigned peers;
    unsigned messages;
    uint64_t bytes; /* in its messages */
};

/* Memory of a host, read and written through UCX. */
struct mapping {
    ucs_list_link_t entry;
    uint64_t id;
    struct host *host;
    uint64_t address;
    uint64_t length;
    struct link *link; /* to the host's UCP worker */
    ucp_rkey_h key;
    unsigned users; /* messages */
};

/* A worker that a host sends to. */
struct peer {
    ucs_list_link_t entry;
    struct host *host;
    struct link *link;
    ucs_list_link_t queue; /* sends that are not posted yet: they are in the order of commands */
    unsigned users;        /* sends under way */
};

/* A send or a receive that is under way. */
struct message {
    ucs_list_link_t entry;
    struct sandbox *sandbox;
    struct host *host;
    uint64_t bytes; /* that its host was charged with */
    struct urom_worker_notif_desc *answer;
    struct transfer transfer;
    /* Goes on when the transfer is over. */
    void (*go_on)(struct message *message, ucs_status_t status);
    unsigned step;
    struct mapping *mapping; /* NULL: inline */
    uint64_t address;        /* in the mapping */
    uint8_t *data;
    size_t length;
    void *owned; /* the memory that data is in, if it is not the answer's */
    uint64_t tag;
    struct peer *peer;     /* send */
    ucs_list_link_t place; /* in the peer's queue */
    bool queued;           /* it is there */
    bool ready;            /* send: its data is here */
};

/* host.c: what this host has here, made when it is not known yet; NULL: no memory. */
struct host *sandbox_host(struct sandbox *sandbox, uint64_t id);

/*
 * host.c: the host has left. Its messages end, as far as UCX lets go of them, and all the rest goes
 * when nothing uses it any more: sandbox_sweep, to be called outside UCX's callbacks, frees that.
 */
void sandbox_host_left(struct sandbox *sandbox, uint64_t id);
void sandbox_sweep(struct sandbox *sandbox);
void sandbox_free_hosts(struct sandbox *sandbox);

/* mapping.c: carries out a MEM_MAP; gives the new mapping's id. FULL: there are too many. */
doca_error_t sandbox_map(struct sandbox *sandbox, struct host *host,
        const struct sandbox_mem_map *command, uint64_t *id);

/*
 * mapping.c: a mapping of the host that holds these bytes, counted as used. NOT_FOUND,
 * INVALID_VALUE.
 */
doca_error_t sandbox_use_mapping(struct sandbox *sandbox, const struct host *host, uint64_t id,
        uint64_t address, uint64_t length, struct mapping **mapping);

/* peer.c: the worker with this id in the host's domain, counted as used. NOT_FOUND. */
doca_error_t sandbox_use_peer(struct sandbox *sandbox, struct host *host, uint64_t domain_id,
        struct peer **peer);

/*
 * mapping.c and peer.c: free the mappings, or peers, of departed hosts that nobody uses; and,
 * without a look at UCX, what is left when the transport is closed. sandbox_unmap takes those of
 * all hosts when `all` is set.
 */
void sandbox_unmap(struct sandbox *sandbox, bool all);
void sandbox_free_mappings(struct sandbox *sandbox);
void sandbox_leave_peers(struct sandbox *sandbox);
void sandbox_free_peers(struct sandbox *sandbox);

/*
 * send.c and receive.c: begin what the command asks for and answer it. `*keep` is set when `desc`,
 * which carries the data, is to be freed later. NO_MEMORY: there is no answer.
 */
doca_error_t sandbox_send(struct sandbox *sandbox, struct host *host,
        struct urom_worker_cmd_desc *desc, const struct sandbox_command *command, bool *keep);
doca_error_t sandbox_receive(struct sandbox *sandbox, struct host *host,
        struct urom_worker_cmd_desc *desc, const struct sandbox_command *command);

/* receive.c: gives up the receives of a host, or of all (NULL), that no message has reached. */
void sandbox_cancel_receives(struct sandbox *sandbox, const struct host *host);

/* send.c: drops the sends of a host that are not posted yet. */
void sandbox_drop_sends(struct sandbox *sandbox, const struct host *host);

/* message.c: a message that answers `desc` with `length` bytes; NULL: no memory. */
struct message *message_new(struct sandbox *sandbox, struct host *host,
        const struct urom_worker_cmd_desc *desc, size_t length);

/* message.c: whether the host may have one message more under way, with so many bytes. */
bool message_allowed(const struct sandbox *sandbox, const struct host *host, uint64_t bytes);

/* message.c: counts the message's bytes. FULL: they are too many until others are over. */
doca_error_t message_charge(struct message *message, uint64_t bytes);

/* message.c: hands the answer over, with this status, and frees the rest. */
void message_end(struct message *message, doca_error_t status);

/* message.c: frees it without an answer. */
void message_free(struct message *message);

/* The UCX status that stands for a DOCA status in an answer. */
ucs_status_t sandbox_ucx_status(doca_error_t status);

#endif /* JUROM_SANDBOX_H_ */
