/* SPDX-License-Identifier: Apache-2.0 */
/* The parser's own flags: help, version, log levels and the JSON file. */
#ifndef JUROM_ARGP_OWN_H_
#define JUROM_ARGP_OWN_H_

#include "parser.h"

/* Registers them. NO_MEMORY. */
doca_error_t own_flags_add(struct parser *parser);
/*
 * Whether a flag of the program's own may have its names: not those of the parser's, but a command
 * may take a short one other than that of the JSON file.
 */
bool own_flags_allow(const struct parser *parser, const struct doca_argp_param *flag,
        bool of_command);
/* Whether the word is a flag that a program of DPDK may have without "--" before it. */
bool own_flags_lead(const struct parser *parser, const char *word);
/* Whether it is a number of doca_log_level. */
bool own_flags_is_level(int number);
/* Sets the log level that was given. */
doca_error_t own_flags_apply(struct parser *parser, const struct given *given);

#endif /* JUROM_ARGP_OWN_H_ */
