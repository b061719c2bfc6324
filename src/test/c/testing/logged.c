/* SPDX-License-Identifier: Apache-2.0 */
#include "logged.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <doca_log.h>

#include "assertions.h"

#define SHOWN_MAX 16384

static FILE *kept; /* the log's own for ever: backends are not destroyed */

void log_keep(void)
{
    struct doca_log_backend *backend;

    if (kept == NULL) {
        kept = tmpfile();
        assert_non_null(kept);
        assert_success(doca_log_backend_create_with_file_sdk(kept, &backend));
        assert_success(doca_log_backend_create_with_file(kept, &backend));
        assert_success(doca_log_backend_set_level_lower_limit(backend, DOCA_LOG_LEVEL_WARNING));
    }
    rewind(kept);
    assert_int_equal(0, ftruncate(fileno(kept), 0));
}

static const char *text_of_log(void)
{
    static char text[SHOWN_MAX];
    ssize_t length;

    fflush(kept);
    length = pread(fileno(kept), text, sizeof(text) - 1, 0);
    text[length < 0 ? 0 : length] = '\0';
    return text;
}

bool log_has(const char *text)
{
    return strstr(text_of_log(), text) != NULL;
}

void assert_logged(const char *text)
{
    if (!log_has(text))
        fail_msg("\"%s\" is not in this log:\n%s", text, text_of_log());
}

void assert_logged_once(const char *text)
{
    const char *log = text_of_log();
    const char *first = strstr(log, text);

    if (first == NULL || strstr(first + 1, text) != NULL)
        fail_msg("\"%s\" is not exactly once in this log:\n%s", text, log);
}
