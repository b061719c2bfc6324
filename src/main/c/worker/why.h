/* SPDX-License-Identifier: Apache-2.0 */
/* Error messages. */
#ifndef JUROM_WORKER_WHY_H_
#define JUROM_WORKER_WHY_H_

#include <doca_error.h>

#define WHY_MAX 1024

/* Formats the message into `why`, truncating it if necessary, and returns `status`. */
doca_error_t because(char why[WHY_MAX], doca_error_t status, const char *format, ...)
        __attribute__((format(printf, 3, 4)));

#endif /* JUROM_WORKER_WHY_H_ */
