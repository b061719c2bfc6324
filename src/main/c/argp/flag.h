/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A flag: what the program set of it. Its texts are copies. It belongs to the program until it is
 * registered, and then to the parser.
 */
#ifndef JUROM_ARGP_FLAG_H_
#define JUROM_ARGP_FLAG_H_

#include <stdbool.h>

#include <doca_argp.h>

/* What the parser itself does with a flag; OWN_NONE: it is the program's. */
enum own_flag {
    OWN_NONE,
    OWN_HELP,
    OWN_VERSION,
    OWN_LOG_LEVEL,
    OWN_SDK_LOG_LEVEL,
    OWN_JSON,
};

struct doca_argp_param {
    char *short_name; /* NULL: none; so are the next two */
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
    bool short_of_memory;                 /* a text could not be copied */
    size_t times;                         /* how often it was given */
    struct doca_argp_param *next;         /* of its level, in the order of registration */
    struct doca_argp_param *next_of_all;  /* of those that the parser owns */
};

/* An empty flag, or NULL without memory. */
struct doca_argp_param *flag_new(void);
/* NULL is fine. */
void flag_free(struct doca_argp_param *flag);
/*
 * Whether it may be registered: INITIALIZATION where something is not set, INVALID_VALUE where it
 * is set to what cannot be, NO_MEMORY.
 */
doca_error_t flag_check(const struct doca_argp_param *flag);
/* How a message shows it: "--" and the long name, or else "-" and the short one. */
const char *flag_dashes(const struct doca_argp_param *flag);
const char *flag_name(const struct doca_argp_param *flag);

#endif /* JUROM_ARGP_FLAG_H_ */
