/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "counters.h"

static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static int is_same(const struct counters_error *error, uint64_t status, const char *text)
{
    return error->status == status
            && (status != 0 || strncmp(error->text, text, COUNTERS_TEXT - 1) == 0);
}

/* Readers look at what has a count: that comes last. When all places are taken, it is lost. */
void counters_note(struct counters *counters, uint64_t status, const char *text)
{
    struct counters_error *end = counters->errors + COUNTERS_ERRORS;

    for (struct counters_error *at = counters->errors; at < end; ++at) {
        if (at->count == 0) {
            at->first_ns = now_ns();
            at->last_ns = at->first_ns;
            at->status = status;
            snprintf(at->text, sizeof(at->text), "%s", text);
            __atomic_store_n(&at->count, 1, __ATOMIC_RELEASE);
            return;
        }
        if (is_same(at, status, text)) {
            at->last_ns = now_ns();
            ++at->count;
            return;
        }
    }
}
