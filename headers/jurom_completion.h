/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records completions in an array: callbacks written in C append records in the order in which they
 * run, so that a program whose callbacks are expensive reads many of them after one call. It calls
 * only the public interface, through function pointers, and works with any DOCA library.
 *
 * Not thread-safe. An array belongs to one progress engine and to the thread that progresses it.
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

/* The DOCA functions that an array calls, from the library in use. */
struct jurom_completion_functions {
    uint8_t (*progress)(struct doca_pe *pe);
    doca_error_t (*submit_ex)(struct doca_task *task, uint32_t flags);
    struct doca_ctx *(*task_context)(const struct doca_task *task);
    doca_error_t (*task_status)(const struct doca_task *task);
    doca_error_t (*buf_data)(const struct doca_buf *buf, void **data);
    doca_error_t (*buf_data_len)(const struct doca_buf *buf, size_t *data_len);
};

/* A completed task or, if `task` is 0, a state change of a context. */
struct jurom_completion {
    uint64_t context;         /* ticket of the context */
    uint64_t task;            /* ticket of the task, or 0 */
    void *response;           /* data of the command's response, if it has one */
    uint64_t response_length; /* bytes */
    int32_t status;           /* of a task: doca_error_t */
    uint32_t previous;        /* of a context: enum doca_ctx_states */
    uint32_t next;            /* of a context */
    uint32_t reserved;
};

/*
 * The unread records have the indices from `delivered` up to, but not including, `appended`. The
 * reader advances `delivered`. Any call of the library that owns the callbacks may move the records
 * in memory.
 */
struct jurom_completion_array {
    struct jurom_completion *records;
    uint32_t appended;
    uint32_t delivered;
    uint32_t capacity;
    uint32_t lost; /* records dropped for lack of memory */
};

/*
 * Identifies the task or context of a callback: the user data of a task or context with one of the
 * callbacks below. It must remain valid until that callback can no longer run.
 */
struct jurom_completion_source;

/* Creates an empty array. NO_MEMORY: allocation failed. */
DOCA_EXPERIMENTAL doca_error_t jurom_completion_array_create(
        const struct jurom_completion_functions *functions, struct jurom_completion_array **array);
/* Frees an array and its unread records. Its sources must have been freed. */
DOCA_EXPERIMENTAL void jurom_completion_array_destroy(struct jurom_completion_array *array);

/* Creates the source of a context, identified by a nonzero ticket. */
DOCA_EXPERIMENTAL doca_error_t jurom_completion_context_source(struct jurom_completion_array *array,
        uint64_t context, struct jurom_completion_source **source);
/*
 * Creates the source of a task of that context. `response` is the response buffer of a command, or
 * NULL.
 */
DOCA_EXPERIMENTAL doca_error_t jurom_completion_task_source(struct jurom_completion_array *array,
        uint64_t context, uint64_t ticket, const struct doca_task *task,
        const struct doca_buf *response, struct jurom_completion_source **source);
/* Frees a source. Its records remain in the array. */
DOCA_EXPERIMENTAL void jurom_completion_source_destroy(struct jurom_completion_source *source);

/*
 * Completion callback for any type of task whose user data is its source. The callback types differ
 * only in the type of the first argument, which this function does not use.
 */
DOCA_EXPERIMENTAL void jurom_completion_of_task(
        void *task, union doca_data task_user_data, union doca_data ctx_user_data);
/* State change callback for a context whose user data is its source. */
DOCA_EXPERIMENTAL void jurom_completion_of_state(union doca_data user_data, struct doca_ctx *ctx,
        enum doca_ctx_states prev_state, enum doca_ctx_states next_state);

/*
 * Progresses an engine until it has run `limit` callbacks, a context has changed its state, the
 * array is full, or no work is left. Returns the number of callbacks that ran, including those that
 * add no record.
 */
DOCA_EXPERIMENTAL uint32_t jurom_completion_drain(
        struct jurom_completion_array *array, struct doca_pe *pe, uint32_t limit);

/*
 * Submits tasks in order, consecutive tasks of one context in one batch, until a submission fails,
 * which stores its error in `status`. Returns the number of tasks submitted.
 */
DOCA_EXPERIMENTAL uint32_t jurom_completion_submit(const struct jurom_completion_array *array,
        struct doca_task *const *tasks, uint32_t count, doca_error_t *status);

#ifdef __cplusplus
}
#endif

#endif /* JUROM_COMPLETION_H_ */
