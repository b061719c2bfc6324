/* SPDX-License-Identifier: Apache-2.0 */
/* The counter: reading, updating and waiting. Thread-safe while the event is started. */
#include "sync_event_value.h"

#include <sched.h>

/* Compares the masked counter with the value to wait for. */
typedef bool comparison(uint64_t counter, uint64_t value);

void sync_event_set(struct doca_sync_event *event, uint64_t value)
{
    __atomic_store_n(event->value, value, __ATOMIC_SEQ_CST);
    if (atomic_load(&event->wants_wake))
        priv_doca_pe_wake(event->ctx.pe);
}

uint64_t sync_event_add(struct doca_sync_event *event, uint64_t value)
{
    uint64_t before = __atomic_fetch_add(event->value, value, __ATOMIC_SEQ_CST);

    if (atomic_load(&event->wants_wake))
        priv_doca_pe_wake(event->ctx.pe);
    return before;
}

/* SUCCESS: the counter keeps its location until end_use. */
static doca_error_t begin_use(struct doca_sync_event *event)
{
    if (event == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    atomic_fetch_add(&event->users, 1);
    if (sync_event_is_started(event))
        return DOCA_SUCCESS;
    atomic_fetch_sub(&event->users, 1);
    return DOCA_ERROR_BAD_STATE;
}

static void end_use(struct doca_sync_event *event)
{
    atomic_fetch_sub(&event->users, 1);
}

doca_error_t doca_sync_event_get(struct doca_sync_event *event, uint64_t *value)
{
    doca_error_t status = begin_use(event);

    if (status != DOCA_SUCCESS)
        return status;
    if (value == NULL)
        status = DOCA_ERROR_INVALID_VALUE;
    else
        *value = sync_event_read(event);
    end_use(event);
    return status;
}

doca_error_t doca_sync_event_update_add(
        struct doca_sync_event *event, uint64_t value, uint64_t *fetched)
{
    doca_error_t status = begin_use(event);
    uint64_t before;

    if (status != DOCA_SUCCESS)
        return status;

    before = sync_event_add(event, value);
    end_use(event);
    if (fetched != NULL)
        *fetched = before;
    return DOCA_SUCCESS;
}

doca_error_t doca_sync_event_update_set(struct doca_sync_event *event, uint64_t value)
{
    doca_error_t status = begin_use(event);

    if (status != DOCA_SUCCESS)
        return status;

    sync_event_set(event, value);
    end_use(event);
    return DOCA_SUCCESS;
}

static void pause_processor(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static void yield_processor(void)
{
    sched_yield();
}

static doca_error_t wait_until(struct doca_sync_event *event, comparison *holds, uint64_t value,
        uint64_t mask, void (*relax)(void))
{
    doca_error_t status = begin_use(event);

    if (status != DOCA_SUCCESS)
        return status;
    while (status == DOCA_SUCCESS && !holds(sync_event_read(event) & mask, value)) {
        if (sync_event_is_started(event))
            relax();
        else /* stopped: the condition will not hold */
            status = DOCA_ERROR_SHUTDOWN;
    }
    end_use(event);
    return status;
}

static bool is_greater(uint64_t counter, uint64_t value)
{
    return counter > value;
}

static bool is_equal(uint64_t counter, uint64_t value)
{
    return counter == value;
}

static bool is_not_equal(uint64_t counter, uint64_t value)
{
    return counter != value;
}

doca_error_t doca_sync_event_wait_gt(struct doca_sync_event *event, uint64_t value, uint64_t mask)
{
    return wait_until(event, is_greater, value, mask, pause_processor);
}

doca_error_t doca_sync_event_wait_gt_yield(
        struct doca_sync_event *event, uint64_t value, uint64_t mask)
{
    return wait_until(event, is_greater, value, mask, yield_processor);
}

doca_error_t doca_sync_event_wait_eq(struct doca_sync_event *event, uint64_t value, uint64_t mask)
{
    return wait_until(event, is_equal, value, mask, pause_processor);
}

doca_error_t doca_sync_event_wait_eq_yield(
        struct doca_sync_event *event, uint64_t value, uint64_t mask)
{
    return wait_until(event, is_equal, value, mask, yield_processor);
}

doca_error_t doca_sync_event_wait_neq(struct doca_sync_event *event, uint64_t value, uint64_t mask)
{
    return wait_until(event, is_not_equal, value, mask, pause_processor);
}

doca_error_t doca_sync_event_wait_neq_yield(
        struct doca_sync_event *event, uint64_t value, uint64_t mask)
{
    return wait_until(event, is_not_equal, value, mask, yield_processor);
}
