/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the software DOCA tells beyond the interface of DOCA. The vendor's libraries have none of it: a
 * program that is to run on both asks for these symbols at run time.
 */
#ifndef JUROM_H_
#define JUROM_H_

#include <stdint.h>

#include <doca_compat.h>
#include <doca_error.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_urom_service;
struct doca_urom_worker;

/*
 * Names the service file of an idle service context, in place of the variable
 * DOCA_UROM_SERVICE_FILE; the path is copied. NULL: the variable names it. BAD_STATE: not idle. For
 * the thread of its progress engine.
 */
DOCA_EXPERIMENTAL doca_error_t jurom_urom_service_set_service_file(
        struct doca_urom_service *service, const char *path);

/* How a worker process has ended. */
enum jurom_urom_worker_end_kind {
    JUROM_UROM_WORKER_END_UNKNOWN = 0,      /* the service was gone too, or did not say in time */
    JUROM_UROM_WORKER_END_EXITED = 1,       /* value: its exit code, 0 to 128 */
    JUROM_UROM_WORKER_END_SIGNALLED = 2,    /* value: the number of the signal */
    JUROM_UROM_WORKER_END_UNRESPONSIVE = 3, /* the service killed it, since it did not answer */
};

struct jurom_urom_worker_end {
    enum jurom_urom_worker_end_kind kind;
    int32_t value;
    int64_t time_ns; /* when this host learnt of it, since 1970 (UTC) */
};

/*
 * How the worker process ended that the context last lost. NOT_FOUND: it lost none since its last
 * start. For the thread of its progress engine.
 */
DOCA_EXPERIMENTAL doca_error_t jurom_urom_worker_get_end(
        const struct doca_urom_worker *worker, struct jurom_urom_worker_end *end);

/*
 * Why the service last refused the service context, or could not be reached, as a sentence: of two
 * releases that do not fit, it names both. Empty when it did not since the last start. Valid until
 * it is started again or destroyed; for the thread of its progress engine.
 */
DOCA_EXPERIMENTAL const char *jurom_urom_service_get_refusal(
        const struct doca_urom_service *service);

/*
 * Why the worker context last failed to start, as a sentence, which is the service's own where it
 * refused the worker. `error` receives the kind and may be NULL. Empty, with SUCCESS, if the last
 * start did not fail. Valid until the context is started again or destroyed; for the thread of its
 * progress engine.
 */
DOCA_EXPERIMENTAL const char *jurom_urom_worker_get_refusal(
        const struct doca_urom_worker *worker, doca_error_t *error);

/*
 * Why the worker context last lost its worker process, as a sentence without a full stop: "worker 7
 * did not answer for 60 s". Empty when it did not since its last start. Valid until it is started
 * again or destroyed; for the thread of its progress engine.
 */
DOCA_EXPERIMENTAL const char *jurom_urom_worker_get_loss(const struct doca_urom_worker *worker);

#define JUROM_UROM_BUCKETS 304

/*
 * What the host has counted on a service, since its service context was started. Bucket i of the
 * histogram of round trips, which are sampled, holds times of i ticks below 8; above, each power of
 * two has 8 buckets of one width.
 */
struct jurom_urom_counters {
    uint64_t submitted;
    uint64_t completed; /* with an error, too */
    uint64_t failed;
    uint64_t in_flight; /* now */
    uint64_t held_back; /* waited for room on their way to the worker */
    uint64_t refused;   /* could not be submitted, or there was no task for them */
    uint64_t workers;   /* that are connected now */
    uint64_t workers_lost;
    uint64_t ticks_per_second;
    uint64_t histogram[JUROM_UROM_BUCKETS];
};

/*
 * Copies the counters of all that shares the service and progress engine of this running context;
 * zeros before the first worker was connected to. For the thread of its progress engine.
 */
DOCA_EXPERIMENTAL doca_error_t jurom_urom_service_get_counters(
        const struct doca_urom_service *service, struct jurom_urom_counters *counters);

#ifdef __cplusplus
}
#endif

#endif /* JUROM_H_ */
