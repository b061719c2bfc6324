/* SPDX-License-Identifier: Apache-2.0 */
#include "ucx_log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <ucs/debug/log_def.h>

#define LINE_MAX_LENGTH 512

static void (*write_line)(const char *line);

/* UCX has one handler stack per process. It also prints fatal errors, because the process ends. */
static ucs_log_func_rc_t hand_on(const char *file, unsigned line, const char *function,
        ucs_log_level_t level, const ucs_log_component_config_t *component, const char *format,
        va_list arguments)
{
    char text[LINE_MAX_LENGTH];
    va_list copy;
    int begun;

    (void)function;
    if (level > component->log_level)
        return UCS_LOG_FUNC_RC_STOP;
    begun = snprintf(text, sizeof(text), "UCX %s %s:%u: ", ucs_log_level_names[level],
            strrchr(file, '/') == NULL ? file : strrchr(file, '/') + 1, line);
    va_copy(copy, arguments);
    if (begun >= 0 && (size_t)begun < sizeof(text))
        vsnprintf(text + begun, sizeof(text) - (size_t)begun, format, copy);
    va_end(copy);
    write_line(text);
    return level == UCS_LOG_LEVEL_FATAL ? UCS_LOG_FUNC_RC_CONTINUE : UCS_LOG_FUNC_RC_STOP;
}

void ucx_log_to(void (*write)(const char *line))
{
    write_line = write;
    ucs_log_push_handler(hand_on);
}
