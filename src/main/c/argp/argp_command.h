/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A command is a word with its own flags and commands; those of one command, or of the program,
 * are a level. A command owns copies of its texts. The program owns the command until it is
 * registered, then the parser does.
 */
#ifndef JUROM_ARGP_COMMAND_H_
#define JUROM_ARGP_COMMAND_H_

#include "flag.h"

/* Flags and commands of one level, in registration order, not owned. */
struct level {
    struct doca_argp_param *flags;
    struct doca_argp_cmd *commands;
};

struct doca_argp_cmd {
    char *name;
    char *description;
    doca_argp_cmd_cb_t callback; /* NULL: none */
    bool hidden;
    bool registered;
    bool out_of_memory; /* copying a text failed */
    struct level level;
    struct doca_argp_cmd *parent;     /* NULL: a top-level command */
    struct doca_argp_cmd *next;       /* next command of its level, in registration order */
    struct doca_argp_cmd *next_owned; /* next command that the parser owns */
};

/* Allocates an empty command. Returns NULL without memory. */
struct doca_argp_cmd *command_new(void);
/* Frees the command but not its flags and commands, which the parser owns. NULL is allowed. */
void command_free(struct doca_argp_cmd *command);
/* Checks whether the command may be registered, like flag_check. */
doca_error_t command_check(const struct doca_argp_cmd *command);

/* Appends a flag. Returns false, without effect, if one of its names is in use. */
bool level_add_flag(struct level *level, struct doca_argp_param *flag);
/* Appends a command. Returns false, without effect, if its name is in use. */
bool level_add_command(struct level *level, struct doca_argp_cmd *command);
/* Finds a flag by its short name, or returns NULL. */
struct doca_argp_param *level_find_short(const struct level *level, const char *name);
/* Finds a flag by its long name, or returns NULL. */
struct doca_argp_param *level_find_long(const struct level *level, const char *name);
/* Finds a command by name, or returns NULL. */
struct doca_argp_cmd *level_find_command(const struct level *level, const char *name);

#endif /* JUROM_ARGP_COMMAND_H_ */
