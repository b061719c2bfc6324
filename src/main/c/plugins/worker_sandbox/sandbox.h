/* SPDX-License-Identifier: Apache-2.0 */
/*
 * worker_sandbox: UCX tagged messages between the workers of a domain. Its parts: mapping.c (host
 * memory), peer.c (the workers it sends to), send.c, receive.c, message.c (what the last two
 * share).
 *
 * Everything that a host makes here is its own, known by the host's dest_id, and goes with it.
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
    ucs_list_link_t answers;  /* ready to be taken */
    ucs_list_link_t messages; /* under way */
    ucs_list_link_t peers;
    ucs_list_link_t mappings;
    uint64_t last_mapping; /* the last id that was given out */
    unsigned mapping_count;
    bool has_orphans; /* a host has left: what it made may be waiting for its last user */
};

#define SANDBOX_MAPPINGS_MAX 4096

/* Memory of a host, read and written through UCX. */
struct mapping {
    ucs_list_link_t entry;
    uint64_t id;
    uint64_t owner;
    uint64_t address;
    uint64_t length;
    ucp_ep_h endpoint; /* to the host's UCP worker */
    ucp_rkey_h key;
    unsigned users; /* messages */
};

/* A worker that a host sends to. */
struct peer {
    ucs_list_link_t entry;
    uint64_t owner;
    uint64_t worker_uid; /* UCX's */
    ucp_ep_h endpoint;
    ucs_list_link_t queue; /* sends that are not posted yet: they are in the order of commands */
    unsigned users;        /* sends under way */
};

/* A send or a receive that is under way. */
struct message {
    ucs_list_link_t entry;
    struct sandbox *sandbox;
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
    struct peer *peer;    /* send */
    ucs_list_link_t place; /* in the peer's queue */
    bool ready;            /* send: its data is here */
};

/* mapping.c: carries out a MEM_MAP; gives the new mapping's id. FULL: there are too many. */
doca_error_t sandbox_map(struct sandbox *sandbox, uint64_t owner,
        const struct sandbox_mem_map *command, uint64_t *id);

/*
 * mapping.c: a mapping of `owner` that holds these bytes, counted as used. NOT_FOUND,
 * INVALID_VALUE.
 */
doca_error_t sandbox_use_mapping(struct sandbox *sandbox, uint64_t owner, uint64_t id,
        uint64_t address, uint64_t length, struct mapping **mapping);

/* peer.c: the worker with this id in the owner's domain, counted as used. NOT_FOUND. */
doca_error_t sandbox_use_peer(struct sandbox *sandbox, uint64_t owner, uint64_t domain_id,
        struct peer **peer);

/* The owner of what belongs to a host that has left. No host has it. */
#define SANDBOX_ORPHAN UINT64_MAX

/*
 * mapping.c and peer.c: give the mappings, or peers, of `owner` to SANDBOX_ORPHAN; let go of those
 * of `owner` that nobody uses, outside UCX's callbacks, and tell how many are still used; and free
 * what is left when the transport is closed.
 */
void sandbox_orphan_mappings(struct sandbox *sandbox, uint64_t owner);
unsigned sandbox_unmap(struct sandbox *sandbox, uint64_t owner);
void sandbox_free_mappings(struct sandbox *sandbox);
void sandbox_orphan_peers(struct sandbox *sandbox, uint64_t owner);
unsigned sandbox_leave_peers(struct sandbox *sandbox, uint64_t owner);
void sandbox_free_peers(struct sandbox *sandbox);

/*
 * send.c and receive.c: begin what the command asks for and answer it. `*keep` is set when `desc`,
 * which carries the data, is to be freed later. NO_MEMORY: there is no answer.
 */
doca_error_t sandbox_send(struct sandbox *sandbox, struct urom_worker_cmd_desc *desc,
        const struct sandbox_command *command, bool *keep);
doca_error_t sandbox_receive(struct sandbox *sandbox, struct urom_worker_cmd_desc *desc,
        const struct sandbox_command *command);

/* receive.c: gives up the receives of an owner, or of all (NULL), that no message has reached. */
void sandbox_cancel_receives(struct sandbox *sandbox, const uint64_t *owner);

/* message.c: a message that answers `desc` with `length` bytes; NULL: no memory. */
struct message *message_new(struct sandbox *sandbox, const struct urom_worker_cmd_desc *desc,
        size_t length);

/* message.c: hands the answer over, with this status, and frees the rest. */
void message_end(struct message *message, doca_error_t status);

/* message.c: frees it without an answer. */
void message_free(struct message *message);

/* The UCX status that stands for a DOCA status in an answer. */
ucs_status_t sandbox_ucx_status(doca_error_t status);

#endif /* JUROM_SANDBOX_H_ */
