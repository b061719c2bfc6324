/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of the parser to the user. */
#ifndef JUROM_ARGP_SAY_H_
#define JUROM_ARGP_SAY_H_

#include "parser.h"

/*
 * Passes a message, without a full stop, to the program's logger, or else prints it to standard
 * error.
 */
void say(const struct parser *parser, const char *format, ...)
        __attribute__((format(printf, 2, 3)));

#endif /* JUROM_ARGP_SAY_H_ */
