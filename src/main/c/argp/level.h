/* SPDX-License-Identifier: Apache-2.0 */
/* Flags and commands that are valid at one level: those of the program, or of a command. */
#ifndef JUROM_ARGP_LEVEL_H_
#define JUROM_ARGP_LEVEL_H_

#include "flag.h"

/* Both in registration order, and not owned. */
struct level {
    struct doca_argp_param *flags;
    struct doca_argp_cmd *commands;
};

/* Appends a flag or command. False, without effect: one of its names is in use. */
bool level_add_flag(struct level *level, struct doca_argp_param *flag);
bool level_add_command(struct level *level, struct doca_argp_cmd *command);
/* Finds a flag or command by name, or returns NULL. */
struct doca_argp_param *level_find_short(const struct level *level, const char *name);
struct doca_argp_param *level_find_long(const struct level *level, const char *name);
struct doca_argp_cmd *level_find_command(const struct level *level, const char *name);

#endif /* JUROM_ARGP_LEVEL_H_ */
