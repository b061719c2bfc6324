/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The completion array: callbacks append records to it, and a drain runs the callbacks. The reader
 * of the records uses the same thread. Also submits several tasks in one call.
 */
#include <stdlib.h>

#include <doca_pe.h>

#include "completion.h"

#define CAPACITY 256 /* records; few enough to stay in the cache */

struct jurom_completion_source {
    struct array *array;
    const struct doca_task *task;
    const struct doca_buf *response;
    uint64_t context;
    uint64_t ticket;
};

doca_error_t jurom_completion_array_create(
        const struct jurom_completion_functions *functions, struct jurom_completion_array **array)
{
    struct array *created = calloc(1, sizeof(*created));

    if (created != NULL)
        created->shared.records = calloc(CAPACITY, sizeof(*created->shared.records));
    if (created == NULL || created->shared.records == NULL) {
        free(created);
        return DOCA_ERROR_NO_MEMORY;
    }
    created->shared.capacity = CAPACITY;
    created->functions = *functions;
    *array = &created->shared;
    return DOCA_SUCCESS;
}

void jurom_completion_array_destroy(struct jurom_completion_array *array)
{
    if (array == NULL)
        return;
    free(array->records);
    free(array);
}

doca_error_t jurom_completion_task_source(struct jurom_completion_array *array, uint64_t context,
        uint64_t ticket, const struct doca_task *task, const struct doca_buf *response,
        struct jurom_completion_source **source)
{
    struct jurom_completion_source *created = malloc(sizeof(*created));

    if (created == NULL)
        return DOCA_ERROR_NO_MEMORY;
    *created = (struct jurom_completion_source){
        .array = (struct array *)array,
        .task = task,
        .response = response,
        .context = context,
        .ticket = ticket,
    };
    *source = created;
    return DOCA_SUCCESS;
}

doca_error_t jurom_completion_context_source(struct jurom_completion_array *array, uint64_t context,
        struct jurom_completion_source **source)
{
    return jurom_completion_task_source(array, context, 0, NULL, NULL, source);
}

void jurom_completion_source_destroy(struct jurom_completion_source *source)
{
    free(source);
}

/* Doubles the capacity. Only needed outside of a drain, which stops when the array is full. */
static bool grow(struct jurom_completion_array *array)
{
    size_t capacity = 2 * (size_t)array->capacity;
    struct jurom_completion *records = realloc(array->records, capacity * sizeof(*records));

    if (records == NULL)
        return false;
    array->records = records;
    array->capacity = (uint32_t)capacity;
    return true;
}

/* Appends a record. Without memory, returns NULL and counts a lost record. */
static struct jurom_completion *append(struct jurom_completion_array *array)
{
    if (array->appended == array->capacity && !grow(array)) {
        ++array->lost;
        return NULL;
    }
    return &array->records[array->appended++];
}

void jurom_completion_of_task(
        void *task, union doca_data task_user_data, union doca_data ctx_user_data)
{
    const struct jurom_completion_source *source = task_user_data.ptr;
    const struct jurom_completion_functions *functions = &source->array->functions;
    struct jurom_completion *record = append(&source->array->shared);
    size_t length;

    (void)task;
    (void)ctx_user_data;
    if (record == NULL)
        return;
    record->context = source->context;
    record->task = source->ticket;
    record->status = (int32_t)functions->task_status(source->task);
    if (source->response != NULL
            && functions->buf_data(source->response, &record->response) == DOCA_SUCCESS
            && functions->buf_data_len(source->response, &length) == DOCA_SUCCESS)
        record->response_length = length;
}

void jurom_completion_of_state(union doca_data user_data, struct doca_ctx *ctx,
        enum doca_ctx_states prev_state, enum doca_ctx_states next_state)
{
    struct jurom_completion_source *source = user_data.ptr;
    struct jurom_completion *record = append(&source->array->shared);

    (void)ctx;
    source->array->state_changed = true;
    if (record == NULL)
        return;
    record->context = source->context;
    record->task = 0;
    record->previous = (uint32_t)prev_state;
    record->next = (uint32_t)next_state;
}

uint32_t jurom_completion_drain(
        struct jurom_completion_array *array, struct doca_pe *pe, uint32_t limit)
{
    struct array *self = (struct array *)array;
    uint32_t ran = 0;

    if (array->delivered == array->appended) {
        array->delivered = 0;
        array->appended = 0;
    }
    self->state_changed = false;
    while (ran < limit && !self->state_changed && array->appended < array->capacity
            && self->functions.progress(pe) != 0)
        ++ran;
    return ran;
}

uint32_t jurom_completion_submit(const struct jurom_completion_array *array,
        struct doca_task *const *tasks, uint32_t count, doca_error_t *status)
{
    const struct jurom_completion_functions *functions = &((const struct array *)array)->functions;
    struct doca_ctx *context = count == 0 ? NULL : functions->task_context(tasks[0]);

    *status = DOCA_SUCCESS;
    for (uint32_t i = 0; i < count; ++i) {
        struct doca_ctx *next = i + 1 == count ? NULL : functions->task_context(tasks[i + 1]);

        *status = functions->submit_ex(tasks[i],
                next == context ? DOCA_TASK_SUBMIT_FLAG_NONE : DOCA_TASK_SUBMIT_FLAG_FLUSH);
        if (*status != DOCA_SUCCESS)
            return i;
        context = next;
    }
    return count;
}
