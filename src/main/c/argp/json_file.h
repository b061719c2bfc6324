/* SPDX-License-Identifier: Apache-2.0 */
/* A JSON file with the extensions of json_text.h. */
#ifndef JUROM_ARGP_JSON_FILE_H_
#define JUROM_ARGP_JSON_FILE_H_

#include "parser.h"

/*
 * Reads the file into parser->file, and reports errors to the user. IO_FAILED: it cannot be read,
 * is too large, or is not JSON. INVALID_VALUE: it is not an object. NO_MEMORY.
 */
doca_error_t json_file_read(struct parser *parser, const char *path);

#endif /* JUROM_ARGP_JSON_FILE_H_ */
