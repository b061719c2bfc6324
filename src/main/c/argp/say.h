/* SPDX-License-Identifier: Apache-2.0 */
/* What the parser has to say to the user. */
#ifndef JUROM_ARGP_SAY_H_
#define JUROM_ARGP_SAY_H_

#include "parser.h"

/* Says a sentence, without a full stop, to the program's logger or else to standard error. */
void say(const struct parser *parser, const char *format, ...)
        __attribute__((format(printf, 2, 3)));

#endif /* JUROM_ARGP_SAY_H_ */
