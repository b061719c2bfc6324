/* SPDX-License-Identifier: Apache-2.0 */
#include "say.h"

#include <stdarg.h>
#include <stdio.h>

void say(const struct parser *parser, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    if (parser->logger_callback != NULL) {
        parser->logger_callback(DOCA_LOG_LEVEL_ERROR, format, arguments);
    } else {
        fprintf(stderr, "%s: ", parser->name);
        vfprintf(stderr, format, arguments);
        fputc('\n', stderr);
    }
    va_end(arguments);
}
