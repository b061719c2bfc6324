/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A flag with the properties that the program has set. It owns copies of its texts. The program
 * owns it until it is registered, then the parser.
 */
#ifndef JUROM_ARGP_FLAG_H_
#define JUROM_ARGP_FLAG_H_

#include <stdbool.h>

#include <doca_argp.h>

/* Flags that the parser handles; OWN_NONE: a flag of the program. */
enum own_flag {
    OWN_NONE,
    OWN_HELP,
    OWN_VERSION,
    OWN_LOG_LEVEL,
    OWN_SDK_LOG_LEVEL,
    OWN_JSON,
};

struct doca_argp_param {
    char *short_name; /* NULL: none; so for the next two */
    char *long_name;
    char *arguments;
    char *description;
    doca_argp_param_cb_t callback;
    enum doca_argp_type type;
    enum own_flag own;
    bool mandatory;
    bool cli_only;
    bool repeatable;
    bool singular;
    bool inherited;
    bool hidden;
    bool registered;
    bool short_of_memory;                /* copying a text failed */
    size_t times;                        /* number of occurrences */
    struct doca_argp_param *next;        /* next of its level, in registration order */
    struct doca_argp_param *next_of_all; /* next of all that the parser owns */
};

/* Allocates an empty flag; NULL without memory. */
struct doca_argp_param *flag_new(void);
/* NULL is allowed. */
void flag_free(struct doca_argp_param *flag);
/*
 * Checks whether the flag may be registered. INITIALIZATION: a mandatory property is not set.
 * INVALID_VALUE: a property is invalid. NO_MEMORY.
 */
doca_error_t flag_check(const struct doca_argp_param *flag);
/*
 * Prefix and name of the flag for messages: "--" and the long name, or else "-" and the short one.
 */
const char *flag_dashes(const struct doca_argp_param *flag);
const char *flag_name(const struct doca_argp_param *flag);

#endif /* JUROM_ARGP_FLAG_H_ */
