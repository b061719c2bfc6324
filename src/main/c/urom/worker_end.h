/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The end of a context's worker process, and the reason why the last start failed. Contexts that
 * depend on the worker are notified when it is lost.
 */
#ifndef JUROM_WORKER_END_H_
#define JUROM_WORKER_END_H_

#include <stdbool.h>
#include <stddef.h>

#include <common/sdk_log.h>
#include <doca_urom.h>
#include <jurom.h>
#include <wire/wire.h>

/* An object that depends on a worker context: a domain. Embedded in its owner. */
struct worker_observer {
    struct worker_observer *next;
    /* The worker process is lost; `destroyed`: and the context is destroyed. */
    void (*lost)(struct worker_observer *observer, bool destroyed);
};

struct worker_end {
    char *loss; /* why the worker was lost, or NULL; kept until the next start */
    struct jurom_urom_worker_end end; /* time 0: it was not lost */
    char *refusal;                    /* why the last start failed, or NULL */
    doca_error_t refused;             /* the error of that start; SUCCESS: it did not fail */
    struct worker_observer *observers;
};

/*
 * Records why the worker was lost, unless a reason is recorded already: "worker ID", `verb` and
 * `reason` form a sentence.
 */
void worker_end_lost(
        struct doca_urom_worker *worker, const char *verb, const char *reason, size_t length);

/* The same from a WORKER_GONE frame, with the exit status. */
void worker_end_gone(struct doca_urom_worker *worker, const struct wire_worker_gone *gone);

/* Returns why the worker was lost; empty if it was not. */
const char *worker_end_loss(const struct worker_end *end);

/*
 * Records the sentence that explains why a start fails, unless there is one already. Returns
 * `error`.
 */
doca_error_t worker_end_refuse(struct worker_end *end, doca_error_t error, const char *format, ...)
        __attribute__((format(printf, 3, 4)));

/* The same, and logs the sentence, for a reason that this side has found. */
#define WORKER_END_REFUSE(end, error, ...) \
    (SDK_LOG_ERR(__VA_ARGS__), worker_end_refuse(end, error, __VA_ARGS__))

/* Clears all reasons. */
void worker_end_clear(struct worker_end *end);

/* Adds an observer, which the caller owns. */
void worker_end_observe(struct worker_end *end, struct worker_observer *observer);

/* Removes an observer. No effect if it was not added. */
void worker_end_unobserve(struct worker_end *end, struct worker_observer *observer);

/* Notifies all observers. */
void worker_end_notify(struct worker_end *end, bool destroyed);

#endif /* JUROM_WORKER_END_H_ */
