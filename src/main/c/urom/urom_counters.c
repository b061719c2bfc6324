/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "urom_counters.h"

doca_error_t counting_connect(struct doca_urom_worker *worker, const char *socket)
{
    struct counters_file *file = &worker->link.session->counters;

    if (file->counters == NULL && !counters_open(file, socket))
        return DOCA_ERROR_NO_MEMORY;
    worker->counters = file->counters;
    counters_add(worker->counters, COUNTERS_WORKERS, 1);
    return DOCA_SUCCESS;
}

void counting_disconnect(struct doca_urom_worker *worker)
{
    counters_add(worker->counters, COUNTERS_WORKERS, (uint64_t)-1);
}

void counting_loss(struct doca_urom_worker *worker)
{
    static const enum counters_event events[] = {
        [JUROM_UROM_WORKER_END_UNKNOWN] = COUNTERS_WORKER_DISCONNECTED,
        [JUROM_UROM_WORKER_END_EXITED] = COUNTERS_WORKER_EXITED,
        [JUROM_UROM_WORKER_END_SIGNALLED] = COUNTERS_WORKER_KILLED,
        [JUROM_UROM_WORKER_END_UNRESPONSIVE] = COUNTERS_WORKER_UNRESPONSIVE,
    };
    struct counters *counters = worker->link.session->counters.counters;

    if (counters == NULL)
        return;
    counters_add(counters, COUNTERS_WORKERS_LOST, 1);
    counters_note(counters, events[worker->end.end.kind], DOCA_SUCCESS);
}

void counting_not_sent(struct counters *counters, doca_error_t status)
{
    if (status == DOCA_ERROR_IN_PROGRESS) {
        counters_add(counters, COUNTERS_HELD_BACK, 1);
        return;
    }
    counters_add(counters, COUNTERS_NOT_SENT, 1);
    counters_note(counters, COUNTERS_COMMAND_NOT_SENT, status);
}

void counting_error(struct counters *counters, doca_error_t status)
{
    counters_add(counters, COUNTERS_FAILED, 1);
    counters_note(counters, COUNTERS_COMMAND_FAILED, status);
}

doca_error_t jurom_urom_service_get_counters(
        const struct doca_urom_service *service, struct jurom_urom_counters *counters)
{
    const struct counters *own;
    const uint64_t *values;

    if (service == NULL || counters == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    *counters = (struct jurom_urom_counters){ 0 };
    own = service->session == NULL ? NULL : service->session->counters.counters;
    if (own == NULL)
        return DOCA_SUCCESS;

    values = own->values;
    *counters = (struct jurom_urom_counters){
        .submitted = values[COUNTERS_BEGUN],
        .completed = values[COUNTERS_ENDED],
        .failed = values[COUNTERS_FAILED],
        .in_flight = values[COUNTERS_BEGUN] - values[COUNTERS_ENDED] - values[COUNTERS_NOT_SENT],
        .held_back = values[COUNTERS_HELD_BACK],
        .refused = values[COUNTERS_NO_TASK] + values[COUNTERS_NOT_SENT],
        .workers = values[COUNTERS_WORKERS],
        .workers_lost = values[COUNTERS_WORKERS_LOST],
        .ticks_per_second = own->ticks_per_second,
    };
    _Static_assert(sizeof(counters->histogram) == sizeof(own->histogram), "all buckets");
    memcpy(counters->histogram, own->histogram, sizeof(own->histogram));
    return DOCA_SUCCESS;
}
