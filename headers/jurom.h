/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Extensions of the software DOCA. The vendor's libraries do not have them: a program that runs on
 * both looks these symbols up at run time.
 */
#ifndef JUROM_H_
#define JUROM_H_

#include <stddef.h>
#include <stdint.h>

#include <doca_compat.h>
#include <doca_error.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_urom_service;
struct doca_urom_worker;

/*
 * Sets the service file of an idle service context, instead of the variable DOCA_UROM_SERVICE_FILE.
 * The path is copied; NULL restores the variable. BAD_STATE: the context is not idle. Call it from
 * the thread of the context's progress engine.
 */
DOCA_EXPERIMENTAL doca_error_t jurom_urom_service_set_service_file(
        struct doca_urom_service *service, const char *path);

/* The ways in which a worker process can end. */
enum jurom_urom_worker_end_kind {
    JUROM_UROM_WORKER_END_UNKNOWN = 0,   /* the service exited too, or did not report it in time */
    JUROM_UROM_WORKER_END_EXITED = 1,    /* value: exit code, 0 to 128 */
    JUROM_UROM_WORKER_END_SIGNALLED = 2, /* value: signal number */
    JUROM_UROM_WORKER_END_UNRESPONSIVE = 3, /* the service killed it because it did not answer */
};

struct jurom_urom_worker_end {
    enum jurom_urom_worker_end_kind kind;
    int32_t value;
    int64_t time_ns; /* when this host detected it, in nanoseconds since 1970 (UTC) */
};

/*
 * Returns how the worker process ended that the context lost last. NOT_FOUND: the context has lost
 * none since its last start. Call it from the thread of the context's progress engine.
 */
DOCA_EXPERIMENTAL doca_error_t jurom_urom_worker_get_end(
        const struct doca_urom_worker *worker, struct jurom_urom_worker_end *end);

/*
 * Returns why the service last rejected the service context or could not be reached, as a sentence,
 * or an empty string if neither happened since the last start. If the releases are incompatible,
 * the sentence names both. Valid until the context is started again or destroyed. Call it from the
 * thread of the context's progress engine.
 */
DOCA_EXPERIMENTAL const char *jurom_urom_service_get_refusal(
        const struct doca_urom_service *service);

/*
 * Returns why the last start of the worker context failed, as a sentence (the service's own if it
 * rejected the worker), or an empty string. `error` receives the status, SUCCESS if the start did
 * not fail; it may be NULL. Valid until the context is started again or destroyed. Call it from the
 * thread of the context's progress engine.
 */
DOCA_EXPERIMENTAL const char *jurom_urom_worker_get_refusal(
        const struct doca_urom_worker *worker, doca_error_t *error);

/*
 * Returns why the worker context lost its worker process, as a sentence without a full stop
 * ("worker 7 did not answer for 60 s"), or an empty string if it lost none since its last start.
 * Valid until the context is started again or destroyed. Call it from the thread of the context's
 * progress engine.
 */
DOCA_EXPERIMENTAL const char *jurom_urom_worker_get_loss(const struct doca_urom_worker *worker);

#define JUROM_UROM_BUCKETS 304

/*
 * Counters of the host for one service, since its service context was started. The histogram counts
 * sampled round-trip times in ticks: bucket i holds i ticks for i below 8; above, each power of two
 * has 8 buckets of equal width.
 */
struct jurom_urom_counters {
    uint64_t submitted;
    uint64_t completed; /* including failed ones */
    uint64_t failed;
    uint64_t in_flight; /* now */
    uint64_t held_back; /* waited for room in the channel to the worker */
    uint64_t refused;   /* not submitted: no task, or the submission failed */
    uint64_t workers;   /* connected now */
    uint64_t workers_lost;
    uint64_t ticks_per_second;
    uint64_t histogram[JUROM_UROM_BUCKETS];
};

/*
 * Copies the counters that all contexts on the service and progress engine of this running context
 * share; zeros until a worker has been connected. Call it from the thread of the context's progress
 * engine.
 */
DOCA_EXPERIMENTAL doca_error_t jurom_urom_service_get_counters(
        const struct doca_urom_service *service, struct jurom_urom_counters *counters);

/*
 * Only worker processes of the software DOCA define this function, so its symbol is weak. Plugins
 * call jurom_worker_busy.
 */
DOCA_EXPERIMENTAL void jurom_worker_set_busy(uint32_t seconds) __attribute__((weak));

/*
 * Announces that the running callback of a plugin may take up to this many seconds from now, so
 * that the service does not kill the worker because it does not answer meanwhile. A callback that
 * takes longer than --hang-timeout of the service (by default 60 s) has to call it. The
 * announcement ends with the callback; 0 revokes it. --busy-timeout of the service limits the time.
 * No effect in workers without jurom_worker_set_busy.
 */
static inline void jurom_worker_busy(uint32_t seconds)
{
    if (jurom_worker_set_busy != NULL)
        jurom_worker_set_busy(seconds);
}

#ifdef __cplusplus
}
#endif

#endif /* JUROM_H_ */
