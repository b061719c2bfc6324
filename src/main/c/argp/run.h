/* SPDX-License-Identifier: Apache-2.0 */
/* The callbacks, when all that was given is right. */
#ifndef JUROM_ARGP_RUN_H_
#define JUROM_ARGP_RUN_H_

#include "parser.h"

/*
 * Calls those of the commands, from the outermost; of the flags, in the order given; of the
 * validation; of DPDK. Returns what the first one returned that failed, and says which. BAD_STATE:
 * one has destroyed the parser, and none is called after it.
 */
doca_error_t run_callbacks(struct parser *parser);

#endif /* JUROM_ARGP_RUN_H_ */
