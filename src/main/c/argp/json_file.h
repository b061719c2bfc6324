/* SPDX-License-Identifier: Apache-2.0 */
/* A file of JSON, with the liberties of json_text.h. */
#ifndef JUROM_ARGP_JSON_FILE_H_
#define JUROM_ARGP_JSON_FILE_H_

#include "parser.h"

/*
 * Reads the file into parser->file, and says what is wrong with it. IO_FAILED: it cannot be read,
 * is too large, or is no JSON. INVALID_VALUE: it is no object. NO_MEMORY.
 */
doca_error_t json_file_read(struct parser *parser, const char *path);

#endif /* JUROM_ARGP_JSON_FILE_H_ */
