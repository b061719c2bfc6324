/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The commands of a host that have not been answered: a set of their request ids. It is what is
 * counted against the host's maximum, and what a notification must be in to be sent, so each
 * command is answered once, whatever plugins do.
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
    struct pending_entry *at; /* open addressing; at most half of it is used */
    size_t capacity;          /* a power of two, or 0 */
    size_t count;
    uint64_t factor;          /* random and odd: hosts choose ids */
};

/* ALREADY_EXIST: it is in the set. NO_MEMORY. */
doca_error_t pending_add(struct pending *pending, uint64_t id);

/* Whether it is in the set; `take` also removes it. */
bool pending_has(const struct pending *pending, uint64_t id);
bool pending_take(struct pending *pending, uint64_t id);

void pending_free(struct pending *pending);

#endif /* JUROM_PENDING_H_ */
