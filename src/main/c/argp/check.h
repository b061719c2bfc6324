/* SPDX-License-Identifier: Apache-2.0 */
/* Validation of the flags and values as a whole. */
#ifndef JUROM_ARGP_CHECK_H_
#define JUROM_ARGP_CHECK_H_

#include "parser.h"

/*
 * Reports the first error to the user. INVALID_VALUE: a repeated flag, a singular flag with others,
 * a missing mandatory flag, or an invalid log level.
 */
doca_error_t check_given(const struct parser *parser);

#endif /* JUROM_ARGP_CHECK_H_ */
