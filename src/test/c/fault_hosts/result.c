/* SPDX-License-Identifier: Apache-2.0 */
#include "result.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void result_error(struct result *result, const char *call, doca_error_t status)
{
    size_t length = strlen(result->errors);
    char error[64];

    snprintf(error, sizeof(error), "%s:%s", call, doca_error_get_name(status));
    if (strstr(result->errors, error) == NULL && length + strlen(error) + 2 < RESULT_ERRORS_MAX)
        sprintf(result->errors + length, "%s%s", length == 0 ? "" : "+", error);
}

void result_print(const struct result *result, const struct job *job)
{
    char line[JOB_LINE_MAX];
    int length = snprintf(line, sizeof(line),
            "result run=%u number=%u submitted=%u answered=%u failed=%u duplicated=%u wrong=%u"
            " refused=%u late=%d idle=%d abrupt=%d errors=%s\n",
            job->run, job->number, result->submitted, result->answered, result->failed,
            result->duplicated, result->wrong, result->refused, result->late, result->idle,
            result->abrupt, result->errors[0] == '\0' ? "-" : result->errors);

    if (write(STDOUT_FILENO, line, (size_t)length) != length)
        _exit(EXIT_FAILURE);
}
