/* SPDX-License-Identifier: Apache-2.0 */
/* What was given, as a whole. */
#ifndef JUROM_ARGP_CHECK_H_
#define JUROM_ARGP_CHECK_H_

#include "parser.h"

/*
 * Says what is wrong, if anything is. INVALID_VALUE: a flag twice that is for once, a singular one
 * beside another, a mandatory one missing, a log level that does not exist.
 */
doca_error_t check_given(const struct parser *parser);

#endif /* JUROM_ARGP_CHECK_H_ */
