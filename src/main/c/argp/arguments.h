/* SPDX-License-Identifier: Apache-2.0 */
/* The command line: commands, then flags with their values. */
#ifndef JUROM_ARGP_ARGUMENTS_H_
#define JUROM_ARGP_ARGUMENTS_H_

#include "parser.h"

/*
 * Reads all words, or up to a flag that ends the process, and reports errors to the user.
 * NOT_SUPPORTED: an unknown flag or command. INVALID_VALUE: an invalid value. NO_MEMORY. The words
 * must outlive the parser.
 */
doca_error_t arguments_read(struct parser *parser, int count, char **words);
/*
 * Assigns the words before "--", or all words if there is none, to DPDK, and sets `*first` to the
 * index of the program's first word. Without DPDK, all words are the program's.
 */
doca_error_t arguments_split(struct parser *parser, int count, char **words, int *first);

#endif /* JUROM_ARGP_ARGUMENTS_H_ */
