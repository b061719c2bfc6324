/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A command: a word with its own flags and commands. It owns copies of its texts. The program owns
 * it until it is registered, then the parser.
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
    bool short_of_memory; /* copying a text failed */
    struct level level;
    struct doca_argp_cmd *parent;      /* NULL: a top-level command */
    struct doca_argp_cmd *next;        /* next of its level, in registration order */
    struct doca_argp_cmd *next_of_all; /* next of all that the parser owns */
};

/* Allocates an empty command; NULL without memory. */
struct doca_argp_cmd *command_new(void);
/* Frees the command but not its flags and commands, which the parser owns. NULL is allowed. */
void command_free(struct doca_argp_cmd *command);
/* Checks whether the command may be registered, like flag_check. */
doca_error_t command_check(const struct doca_argp_cmd *command);

#endif /* JUROM_ARGP_COMMAND_H_ */
