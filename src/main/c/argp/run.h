/* SPDX-License-Identifier: Apache-2.0 */
/* Invocation of the callbacks after successful validation. */
#ifndef JUROM_ARGP_RUN_H_
#define JUROM_ARGP_RUN_H_

#include "parser.h"

/*
 * Calls the callbacks of the commands, outermost first; of the flags, in the order found; of the
 * validation; and of DPDK. Returns the first error and reports it to the user. BAD_STATE: a
 * callback destroyed the parser; no further one is called.
 */
doca_error_t run_callbacks(struct parser *parser);

#endif /* JUROM_ARGP_RUN_H_ */
