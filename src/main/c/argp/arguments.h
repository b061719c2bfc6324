/* SPDX-License-Identifier: Apache-2.0 */
/* The command line: commands, then flags, each with its value. */
#ifndef JUROM_ARGP_ARGUMENTS_H_
#define JUROM_ARGP_ARGUMENTS_H_

#include "parser.h"

/*
 * Reads words up to the last, or up to a flag that ends the process, and says what is wrong with
 * one. NOT_SUPPORTED: no such flag or command. INVALID_VALUE: a value. NO_MEMORY. The words must
 * last as long as the parser.
 */
doca_error_t arguments_read(struct parser *parser, int count, char **words);
/*
 * Takes the words before "--" for DPDK, all of them where there is none, and sets `*first` to the
 * first word of the program's. A program without DPDK has all words to itself.
 */
doca_error_t arguments_split(struct parser *parser, int count, char **words, int *first);

#endif /* JUROM_ARGP_ARGUMENTS_H_ */
