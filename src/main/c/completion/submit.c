/* SPDX-License-Identifier: Apache-2.0 */
/* Submission of several tasks in one call. */
#include <doca_pe.h>

#include "array.h"

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
