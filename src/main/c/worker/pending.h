/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The set of request ids of a host's unanswered commands. Its size is limited to the host's maximum
 * of tasks. A notification is sent only if its id is in the set, so each command is answered once.
 */
#ifndef JUROM_PENDING_H_
#define JUROM_PENDING_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_error.h>

struct pending_entry {
    uint64_t id;
    bool used;
};

struct pending {
    struct pending_entry *at; /* open addressing; at most half of the slots are in use */
    size_t capacity;          /* a power of two, or 0 */
    size_t count;
    uint64_t factor; /* of the hash; random and odd, because hosts choose the ids */
};

/* Adds an id. Returns ALREADY_EXIST or NO_MEMORY. */
doca_error_t pending_add(struct pending *pending, uint64_t id);

/* Returns whether the id is in the set. */
bool pending_has(const struct pending *pending, uint64_t id);

/* Removes an id. Returns false if it is not in the set. */
bool pending_take(struct pending *pending, uint64_t id);

/* Frees the memory of the set, which is empty afterwards. */
void pending_free(struct pending *pending);

#endif /* JUROM_PENDING_H_ */
