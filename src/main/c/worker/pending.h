/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The unanswered commands of a host, by request id. Their number is limited to the host's maximum of
 * tasks. A notification is sent only if its id is in the set, so each command is answered once.
 */
#ifndef JUROM_PENDING_H_
#define JUROM_PENDING_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_error.h>

struct pending_entry {
    uint64_t id;
    uint64_t deadline; /* ns of the monotonic clock; 0: none */
    uint8_t plugin;    /* index in the worker */
    bool cancelled;    /* the host has sent CANCEL */
    bool used;
};

struct pending {
    struct pending_entry *at; /* open addressing; at most half of the slots are in use */
    size_t capacity;          /* a power of two, or 0 */
    size_t count;
    uint64_t factor; /* of the hash; random and odd, because hosts choose the ids */
};

/* Adds the id of a command for this plugin. Returns ALREADY_EXIST or NO_MEMORY. */
doca_error_t pending_add(struct pending *pending, uint64_t id, unsigned plugin);

/* Returns the command with this id, or NULL. Valid until the set is changed. */
struct pending_entry *pending_find(const struct pending *pending, uint64_t id);

/* Removes an id. Returns false if it is not in the set. */
bool pending_take(struct pending *pending, uint64_t id);

/* Frees the memory of the set, which is empty afterwards. */
void pending_free(struct pending *pending);

#endif /* JUROM_PENDING_H_ */
