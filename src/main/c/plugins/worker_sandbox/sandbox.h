/* SPDX-License-Identifier: Apache-2.0 */
/*
 * worker_sandbox: UCX tagged messages between the workers of a domain. Its parts: mapping.c (host
 * memory), peer.c (the workers it sends to), sandbox_send.c, sandbox_receive.c, message.c (shared
 * by the last two), host.c (the resources of each host).
 *
 * Every resource belongs to one host, identified by its dest_id, and is freed when the host leaves,
 * except while UCX still uses it, such as in a transfer whose peer no longer makes progress.
 */
#ifndef JUROM_SANDBOX_H_
#define JUROM_SANDBOX_H_

#include <stdbool.h>
#include <stdint.h>

#include <doca_urom_plugin.h>

#include "../transport/answer.h"
#include "../transport/transport.h"
#include "sandbox_command.h"

struct sandbox {
    struct urom_worker_ctx *ctx;
    struct transport transport;
    ucs_list_link_t hosts;
    ucs_list_link_t answers;  /* ready to be taken */
    ucs_list_link_t messages; /* in flight */
    ucs_list_link_t peers;
    ucs_list_link_t mappings;
    uint64_t last_mapping; /* the last id assigned */
    uint64_t bytes;        /* in the messages of all hosts */
    bool has_departed;     /* resources of a departed host are still in use */
};

#define SANDBOX_MAPPINGS_MAX 4096        /* of one host */
#define SANDBOX_MESSAGES_MAX 65536       /* of one host, in flight */
#define SANDBOX_BYTES_MAX (256u << 20)   /* in them */
#define SANDBOX_ALL_BYTES_MAX (1u << 30) /* in those of all hosts, including departed ones */

/* The resources of a host. */
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
    ucs_list_link_t queue; /* sends not yet posted, in the order of their commands */
    unsigned users;        /* sends in flight */
};

/* A send or receive in flight. */
struct message {
    ucs_list_link_t entry;
    struct sandbox *sandbox;
    struct host *host;
    uint64_t bytes; /* counted against its host */
    struct urom_worker_notif_desc *answer;
    struct transfer transfer;
    /* Called when the transfer has completed. */
    void (*go_on)(struct message *message, ucs_status_t status);
    unsigned step;
    struct mapping *mapping; /* NULL: inline */
    uint64_t address;        /* in the mapping */
    uint8_t *data;
    size_t length;
    void *owned; /* the memory of `data`, unless it is the answer's */
    uint64_t tag;
    struct peer *peer;     /* send */
    ucs_list_link_t place; /* in the peer's queue */
    bool queued;           /* it is in the peer's queue */
    bool ready;            /* send: its data has been fetched */
};

/* host.c: finds or creates the entry of this host; NULL: no memory. */
struct host *sandbox_host(struct sandbox *sandbox, uint64_t id);

/*
 * host.c: handles the departure of a host. Ends its messages as far as UCX permits; sandbox_sweep
 * frees its other resources once they are unused.
 */
void sandbox_host_left(struct sandbox *sandbox, uint64_t id);

/*
 * host.c: frees the unused resources of departed hosts, and hosts that have none left. Must not be
 * called from UCX's callbacks.
 */
void sandbox_sweep(struct sandbox *sandbox);

/* host.c: frees all hosts. Their messages, mappings and peers must have been freed. */
void sandbox_free_hosts(struct sandbox *sandbox);

/* mapping.c: executes a MEM_MAP and returns the new mapping's id. FULL: SANDBOX_MAPPINGS_MAX. */
doca_error_t sandbox_map(struct sandbox *sandbox, struct host *host,
        const struct sandbox_mem_map *command, uint64_t *id);

/*
 * mapping.c: finds a mapping of the host that contains these bytes, and adds a user. NOT_FOUND,
 * INVALID_VALUE (out of bounds).
 */
doca_error_t sandbox_use_mapping(struct sandbox *sandbox, const struct host *host, uint64_t id,
        uint64_t address, uint64_t length, struct mapping **mapping);

/* peer.c: finds the worker with this id in the host's domain, and adds a user. NOT_FOUND. */
doca_error_t sandbox_use_peer(
        struct sandbox *sandbox, struct host *host, uint64_t domain_id, struct peer **peer);

/* mapping.c: frees the unused mappings of departed hosts, or of all hosts (`all`). */
void sandbox_unmap(struct sandbox *sandbox, bool all);

/* mapping.c: frees the remaining mappings once the transport is closed, without calling UCX. */
void sandbox_free_mappings(struct sandbox *sandbox);

/* peer.c: frees the unused peers of departed hosts. */
void sandbox_leave_peers(struct sandbox *sandbox);

/* peer.c: frees the remaining peers once the transport is closed, without calling UCX. */
void sandbox_free_peers(struct sandbox *sandbox);

/*
 * sandbox_send.c: executes a send, and answers it now or later. `*keep` is set if `desc`, which
 * contains the data, is to be freed later. NO_MEMORY: the command is not answered.
 */
doca_error_t sandbox_send(struct sandbox *sandbox, struct host *host,
        struct urom_worker_cmd_desc *desc, const struct sandbox_command *command, bool *keep);

/*
 * sandbox_receive.c: executes a receive, and answers it now or later. The caller keeps `desc`.
 * NO_MEMORY: the command is not answered.
 */
doca_error_t sandbox_receive(struct sandbox *sandbox, struct host *host,
        struct urom_worker_cmd_desc *desc, const struct sandbox_command *command);

/*
 * sandbox_receive.c: cancels the receives of a host, or of all (NULL), that no message has matched.
 */
void sandbox_cancel_receives(struct sandbox *sandbox, const struct host *host);

/* sandbox_send.c: drops the sends of a host that have not been posted. */
void sandbox_drop_sends(struct sandbox *sandbox, const struct host *host);

/* message.c: creates a message that answers `desc` with `length` bytes; NULL: no memory. */
struct message *message_new(struct sandbox *sandbox, struct host *host,
        const struct urom_worker_cmd_desc *desc, size_t length);

/* message.c: returns whether the limits permit another message of `bytes` bytes. */
bool message_allowed(const struct sandbox *sandbox, const struct host *host, uint64_t bytes);

/* message.c: counts the message's bytes. FULL: too many bytes are in flight. */
doca_error_t message_charge(struct message *message, uint64_t bytes);

/* message.c: sends the answer with this status and frees the message. */
void message_end(struct message *message, doca_error_t status);

/* message.c: frees the message without an answer. */
void message_free(struct message *message);

/* Returns the UCX status for a DOCA status. */
ucs_status_t sandbox_ucx_status(doca_error_t status);

#endif /* JUROM_SANDBOX_H_ */
