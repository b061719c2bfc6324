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
struct doca_urom_worker_cmd_task;
struct urom_worker_cmd_desc;

/*
 * Sets the service file of an idle service context, instead of the variable DOCA_UROM_SERVICE_FILE
 * or an address. The path is copied; NULL restores the variable. BAD_STATE: the context is not idle.
 * Call it from the thread of the context's progress engine.
 */
DOCA_EXPERIMENTAL doca_error_t jurom_urom_service_set_service_file(
        struct doca_urom_service *service, const char *path);

/*
 * Sets the address of the service of an idle service context, instead of a service file: HOST,
 * HOST:PORT or unix:PATH, as dev_hostname in service files. It holds for each device. The address is
 * copied; NULL restores the variable DOCA_UROM_SERVICE_FILE. INVALID_VALUE: the address is
 * malformed; the log has the reason. BAD_STATE: the context is not idle. Call it from the thread of
 * the context's progress engine.
 */
DOCA_EXPERIMENTAL doca_error_t jurom_urom_service_set_address(
        struct doca_urom_service *service, const char *address);

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

/*
 * Returns the process of the worker, or 0 if the context is not running or the worker is on another
 * machine. Call it from the thread of the context's progress engine.
 */
DOCA_EXPERIMENTAL int32_t jurom_urom_worker_get_process(const struct doca_urom_worker *worker);

/*
 * Sets the deadline of the task's next submission, in nanoseconds of CLOCK_MONOTONIC of this host; 0
 * (the default): none. The worker answers a command with TIME_OUT instead of starting it after its
 * deadline, and plugins can read the deadline. The worker may take it for later by up to the round
 * trip of the connection's start. BAD_STATE: the task is in flight.
 */
DOCA_EXPERIMENTAL doca_error_t jurom_urom_worker_cmd_task_set_deadline(
        struct doca_urom_worker_cmd_task *task, uint64_t deadline);

/*
 * Requests that the command of a task in flight be cancelled. The task completes once, as every
 * other: at once with SKIPPED if no byte of the command was sent, and otherwise when the worker
 * answers: with SKIPPED if it has not started the command, with the plugin's answer if it has. Does
 * not block. BAD_STATE: the task is not in flight. NOT_SUPPORTED: the worker does not support it.
 * NO_MEMORY: try again. Call it from the thread of the context's progress engine.
 */
DOCA_EXPERIMENTAL doca_error_t jurom_urom_worker_cmd_task_cancel(
        struct doca_urom_worker_cmd_task *task);

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

/*
 * Only worker processes of the software DOCA define these functions, so their symbols are weak.
 * Plugins call jurom_command_is_wanted and jurom_command_deadline.
 */
DOCA_EXPERIMENTAL uint32_t jurom_worker_is_wanted(const struct urom_worker_cmd_desc *command)
        __attribute__((weak));
DOCA_EXPERIMENTAL uint64_t jurom_worker_deadline(const struct urom_worker_cmd_desc *command)
        __attribute__((weak));

/*
 * Returns whether the host still waits for the answer to an unanswered command: 0 if the host has
 * cancelled it or disconnected, or its deadline has passed. A plugin that computes for long calls
 * it between parts, and then answers with an error such as SKIPPED. It takes less than 100 ns. A
 * cancellation by a host of another machine is not detected during the callback in which the
 * command is executed, and neither is the end of a host, but the deadline is. Call it from the thread of the plugin's operations.
 * Always 1 in workers without jurom_worker_is_wanted.
 */
static inline uint32_t jurom_command_is_wanted(const struct urom_worker_cmd_desc *command)
{
    return jurom_worker_is_wanted == NULL || jurom_worker_is_wanted(command);
}

/*
 * Returns the deadline of an unanswered command, in nanoseconds of CLOCK_MONOTONIC; 0: none. Call it
 * from the thread of the plugin's operations. Always 0 in workers without jurom_worker_deadline.
 */
static inline uint64_t jurom_command_deadline(const struct urom_worker_cmd_desc *command)
{
    return jurom_worker_deadline == NULL ? 0 : jurom_worker_deadline(command);
}

#ifdef __cplusplus
}
#endif

#endif /* JUROM_H_ */
