/* SPDX-License-Identifier: Apache-2.0 */
/* Error messages. */
#ifndef JUROM_REASON_H_
#define JUROM_REASON_H_

#include <stdarg.h>
#include <stdio.h>

#include <doca_error.h>

#define REASON_MAX 1024

/* Formats the message into `reason`, truncating it if necessary, and returns `status`. */
static inline __attribute__((format(printf, 3, 4))) doca_error_t fail_with(
        char reason[REASON_MAX], doca_error_t status, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(reason, REASON_MAX, format, arguments);
    va_end(arguments);
    return status;
}

#endif /* JUROM_REASON_H_ */
