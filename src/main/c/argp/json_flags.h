/* SPDX-License-Identifier: Apache-2.0 */
/* Flags in a file: doca_general_flags, doca_program_flags, doca_dpdk_flags. */
#ifndef JUROM_ARGP_JSON_FLAGS_H_
#define JUROM_ARGP_JSON_FLAGS_H_

#include "parser.h"

/*
 * Adds the flags of parser->file, and reports errors to the user. NOT_SUPPORTED: a key that is not
 * a flag. INVALID_VALUE: a value of the wrong type. NO_MEMORY.
 */
doca_error_t json_flags_read(struct parser *parser);

#endif /* JUROM_ARGP_JSON_FLAGS_H_ */
