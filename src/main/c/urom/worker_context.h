/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The worker context. Each member is defined in the header of its file, which alone writes it. Used
 * only by the thread of its progress engine.
 */
#ifndef JUROM_WORKER_CONTEXT_H_
#define JUROM_WORKER_CONTEXT_H_

#include <common/ctx.h>

#include "worker_channel.h"
#include "worker_end.h"
#include "worker_link.h"
#include "worker_settings.h"
#include "worker_task.h"

struct doca_urom_worker {
    struct doca_ctx ctx;
    struct worker_tasks tasks;
    struct worker_channel channel;
    struct counters *counters; /* of the session; host_counters.c */
    struct worker_settings settings;
    struct worker_link link;
    struct worker_end end;
};

#endif /* JUROM_WORKER_CONTEXT_H_ */
