/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Errors in the counter file. Each is a counters_event with a DOCA status code, so that no
 * peer can choose a text or fill the slots with errors.
 */
#include <stdio.h>
#include <time.h>

#include "counters.h"

static const char *const phrases[] = {
    [COUNTERS_COMMAND_ANSWERED] = "A command was answered with",
    [COUNTERS_COMMAND_FAILED] = "A command failed with",
    [COUNTERS_COMMAND_NOT_SENT] = "A command was not sent because of",
    [COUNTERS_CONNECTION_ENDED] = "A host's connection ended with",
    [COUNTERS_WORKER_EXITED] = "A worker was lost: it exited",
    [COUNTERS_WORKER_KILLED] = "A worker was lost: it was ended by a signal",
    [COUNTERS_WORKER_UNRESPONSIVE] = "A worker was lost: it did not answer",
    [COUNTERS_WORKER_DISCONNECTED] = "A worker was lost: its connection ended",
};

static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void describe(char text[COUNTERS_TEXT], enum counters_event event, doca_error_t status)
{
    if (status == DOCA_SUCCESS)
        snprintf(text, COUNTERS_TEXT, "%s", phrases[event]);
    else
        snprintf(text, COUNTERS_TEXT, "%s %s: %s", phrases[event], doca_error_get_name(status),
                doca_error_get_descr(status));
}

/*
 * Readers ignore slots with a count of 0, so the count is stored last. If all slots are occupied,
 * the error is lost.
 */
void counters_note(struct counters *counters, enum counters_event event, doca_error_t status)
{
    struct counters_error *end = counters->errors + COUNTERS_ERRORS;
    uint64_t key;

    if (status > DOCA_ERROR_SKIPPED) /* defined by the plugin */
        status = DOCA_ERROR_UNKNOWN;
    key = (uint64_t)event << 32 | status;
    for (struct counters_error *at = counters->errors; at < end; ++at) {
        if (at->count == 0) {
            at->first_ns = now_ns();
            at->last_ns = at->first_ns;
            at->key = key;
            describe(at->text, event, status);
            __atomic_store_n(&at->count, 1, __ATOMIC_RELEASE);
            return;
        }
        if (at->key == key) {
            at->last_ns = now_ns();
            ++at->count;
            return;
        }
    }
}
