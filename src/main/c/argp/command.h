/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A command: a word with flags and commands of its own. Its texts are copies. It belongs to the
 * program until it is registered, and then to the parser.
 */
#ifndef JUROM_ARGP_COMMAND_H_
#define JUROM_ARGP_COMMAND_H_

#include "level.h"

struct doca_argp_cmd {
    char *name;
    char *description;
    doca_argp_cmd_cb_t callback; /* NULL: none */
    bool hidden;
    bool registered;
    bool short_of_memory;              /* a text could not be copied */
    struct level level;
    struct doca_argp_cmd *parent;      /* NULL: it is the program's */
    struct doca_argp_cmd *next;        /* of its level, in the order of registration */
    struct doca_argp_cmd *next_of_all; /* of those that the parser owns */
};

/* An empty command, or NULL without memory. */
struct doca_argp_cmd *command_new(void);
/* Leaves its flags and commands, which are the parser's. NULL is fine. */
void command_free(struct doca_argp_cmd *command);
/* Whether it may be registered; as flag_check. */
doca_error_t command_check(const struct doca_argp_cmd *command);

#endif /* JUROM_ARGP_COMMAND_H_ */
