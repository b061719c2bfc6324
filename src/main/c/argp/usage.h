/* SPDX-License-Identifier: Apache-2.0 */
/* Usage and version, on standard output. */
#ifndef JUROM_ARGP_USAGE_H_
#define JUROM_ARGP_USAGE_H_

#include "parser.h"

/* Prints the usage of the innermost command found, or of the program. */
void usage_print(const struct parser *parser);
void usage_print_version(const struct parser *parser);

#endif /* JUROM_ARGP_USAGE_H_ */
