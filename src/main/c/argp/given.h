/* SPDX-License-Identifier: Apache-2.0 */
/* What was given on the command line or in a file: flags with their values, in order. */
#ifndef JUROM_ARGP_GIVEN_H_
#define JUROM_ARGP_GIVEN_H_

#include "flag.h"

struct given {
    struct doca_argp_param *flag;
    union { /* by the flag's type */
        char *text; /* belongs to argv, or to the file */
        int number;
        bool yes;
    };
};

struct given_list {
    struct given *entries;
    size_t count;
    size_t capacity;
};

/* False without memory. Counts the flag's times. */
bool given_add(struct given_list *list, const struct given *given);
/* Frees what it holds and leaves it empty. */
void given_clear(struct given_list *list);

#endif /* JUROM_ARGP_GIVEN_H_ */
