/* SPDX-License-Identifier: Apache-2.0 */
/* What may be given at one place: the program's flags and commands, or those of a command. */
#ifndef JUROM_ARGP_LEVEL_H_
#define JUROM_ARGP_LEVEL_H_

#include "flag.h"

/* Both in the order of registration. It owns neither. */
struct level {
    struct doca_argp_param *flags;
    struct doca_argp_cmd *commands;
};

/* Puts it behind the others. False, and nothing changes: one of its names is taken. */
bool level_add_flag(struct level *level, struct doca_argp_param *flag);
bool level_add_command(struct level *level, struct doca_argp_cmd *command);
/* NULL: there is none of that name. */
struct doca_argp_param *level_find_short(const struct level *level, const char *name);
struct doca_argp_param *level_find_long(const struct level *level, const char *name);
struct doca_argp_cmd *level_find_command(const struct level *level, const char *name);

#endif /* JUROM_ARGP_LEVEL_H_ */
