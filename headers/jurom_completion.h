/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Completions as an array: callbacks written in C keep what they are told, in the order in which
 * they ran, and a program whose callbacks are dear reads many of them after one call. It uses the
 * public interface alone, through functions that it is given, so that it serves any DOCA.
 *
 * An array belongs to one progress engine and to the thread that progresses it.
 */
#ifndef JUROM_COMPLETION_H_
#define JUROM_COMPLETION_H_

#include <stddef.h>
#include <stdint.h>

#include <doca_compat.h>
#include <doca_ctx.h>
#include <doca_error.h>
#include <doca_types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_buf;
struct doca_pe;
struct doca_task;

/* The DOCA functions that an array calls, of whichever library is in use. */
struct jurom_completion_functions {
    uint8_t (*progress)(struct doca_pe *pe);
    doca_error_t (*submit_ex)(struct doca_task *task, uint32_t flags);
    struct doca_ctx *(*task_context)(const struct doca_task *task);
    doca_error_t (*task_status)(const struct doca_task *task);
    doca_error_t (*buf_data)(const struct doca_buf *buf, void **data);
    doca_error_t (*buf_data_len)(const struct doca_buf *buf, size_t *data_len);
};

/* A task that has completed or, if its ticket is 0, a context that has changed its state. */
struct jurom_completion {
    uint64_t context;         /* the ticket of the context */
    uint64_t task;            /* the ticket of the task */
    void *response;           /* where the answer to a command is */
    uint64_t response_length; /* bytes */
    int32_t status;           /* a task's, a doca_error_t */
    uint32_t previous;        /* a context's, an enum doca_ctx_states */
    uint32_t next;            /* a context's */
    uint32_t reserved;
};

/*
 * The records from `delivered` to `appended` are there to be read. The reader moves `delivered` on;
 * the records may move with every call of the library that owns the callbacks.
 */
struct jurom_completion_array {
    struct jurom_completion *records;
    uint32_t appended;
    uint32_t delivered;
    uint32_t capacity;
    uint32_t lost; /* records for which there was no memory */
};

/*
 * What a callback is about: the user data of a task or context whose callback is one of those below.
 * It must live until that callback cannot run any more.
 */
struct jurom_completion_source;

/* Makes an empty array. NO_MEMORY: there is none. */
DOCA_EXPERIMENTAL doca_error_t jurom_completion_array_create(
        const struct jurom_completion_functions *functions, struct jurom_completion_array **array);
/* Frees an array, whose sources are freed, and what was not read. */
DOCA_EXPERIMENTAL void jurom_completion_array_destroy(struct jurom_completion_array *array);

/* Makes the source of a context, known by a ticket other than 0. */
DOCA_EXPERIMENTAL doca_error_t jurom_completion_context_source(struct jurom_completion_array *array,
        uint64_t context, struct jurom_completion_source **source);
/* Makes the source of a task of such a context; response: of a command, else NULL. */
DOCA_EXPERIMENTAL doca_error_t jurom_completion_task_source(struct jurom_completion_array *array,
        uint64_t context, uint64_t ticket, const struct doca_task *task,
        const struct doca_buf *response, struct jurom_completion_source **source);
/* Frees a source. What it has led to stays in the array. */
DOCA_EXPERIMENTAL void jurom_completion_source_destroy(struct jurom_completion_source *source);

/*
 * A completion callback for any kind of task, whose user data is its source: all have this shape but
 * for the type of the first argument, which it does not use.
 */
DOCA_EXPERIMENTAL void jurom_completion_of_task(
        void *task, union doca_data task_user_data, union doca_data ctx_user_data);
/* A callback for changes of the state of a context whose user data is its source. */
DOCA_EXPERIMENTAL void jurom_completion_of_state(union doca_data user_data, struct doca_ctx *ctx,
        enum doca_ctx_states prev_state, enum doca_ctx_states next_state);

/*
 * Progresses an engine until it has run `limit` callbacks, a context has changed its state, the
 * array is full, or there is nothing. Answers how many callbacks ran, those among them that keep
 * nothing here.
 */
DOCA_EXPERIMENTAL uint32_t jurom_completion_drain(struct jurom_completion_array *array,
        struct doca_pe *pe, uint32_t limit);

/*
 * Submits tasks in their order, those in a row of one context in one batch, until one is refused:
 * its status is kept. Answers how many were submitted.
 */
DOCA_EXPERIMENTAL uint32_t jurom_completion_submit(const struct jurom_completion_array *array,
        struct doca_task *const *tasks, uint32_t count, doca_error_t *status);

#ifdef __cplusplus
}
#endif

#endif /* JUROM_COMPLETION_H_ */
