/* SPDX-License-Identifier: Apache-2.0 */
/* The parser's own flags: help, version, log levels and JSON file. */
#ifndef JUROM_ARGP_OWN_H_
#define JUROM_ARGP_OWN_H_

#include "parser.h"

/* Registers the own flags. NO_MEMORY. */
doca_error_t own_flags_add(struct parser *parser);
/*
 * Returns whether a flag of the program may have its names: they must differ from those of the own
 * flags, except that a command's flag may have their short names other than that of the JSON file.
 */
bool own_flags_allow(
        const struct parser *parser, const struct doca_argp_param *flag, bool of_command);
/*
 * Returns whether the word is an own flag that is accepted without a preceding "--" in a program
 * with DPDK.
 */
bool own_flags_lead(const struct parser *parser, const char *word);
/* Returns whether the number is a doca_log_level. */
bool own_flags_is_level(int number);
/* Applies the log level of the flag. */
doca_error_t own_flags_apply(struct parser *parser, const struct given *given);

#endif /* JUROM_ARGP_OWN_H_ */
