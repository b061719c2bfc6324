/* SPDX-License-Identifier: Apache-2.0 */
/* The flags in a file: doca_general_flags, doca_program_flags, doca_dpdk_flags. */
#ifndef JUROM_ARGP_JSON_FLAGS_H_
#define JUROM_ARGP_JSON_FLAGS_H_

#include "parser.h"

/*
 * Takes what is in parser->file as given, and says what is wrong with it. NOT_SUPPORTED: a key that
 * is no flag. INVALID_VALUE: a value of the wrong kind. NO_MEMORY.
 */
doca_error_t json_flags_read(struct parser *parser);

#endif /* JUROM_ARGP_JSON_FLAGS_H_ */
