/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stdio.h>

#include "why.h"

doca_error_t because(char why[WHY_MAX], doca_error_t status, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(why, WHY_MAX, format, arguments);
    va_end(arguments);
    return status;
}
