/* SPDX-License-Identifier: Apache-2.0 */
/* Flags and values from the command line or a file, in order. */
#ifndef JUROM_ARGP_GIVEN_H_
#define JUROM_ARGP_GIVEN_H_

#include "flag.h"

struct given {
    struct doca_argp_param *flag;
    union {         /* by the flag's type */
        char *text; /* owned by argv or by the file */
        int number;
        bool yes;
    };
};

struct given_list {
    struct given *entries;
    size_t count;
    size_t capacity;
};

/* Adds an entry and counts the flag's occurrence. False without memory. */
bool given_add(struct given_list *list, const struct given *given);
/* Frees the entries. */
void given_clear(struct given_list *list);

#endif /* JUROM_ARGP_GIVEN_H_ */
