/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The start and stop of a worker context, through its connections to the service and to the worker
 * process.
 *
 *     start: session open -> SPAWN / SPAWNED -> channel open -> ATTACH / ATTACHED -> RUNNING
 *     stop:  DETACH / DETACHED -> RELEASE / RELEASED -> IDLE
 *
 * A start that fails is undone by the remaining steps of a stop. If the service assigns an existing
 * process that exits before the context is attached, the start requests a worker again. If the
 * worker or the service is lost, the results that the worker has published are completed, the
 * context waits a short time for the reason from the service, and then fails.
 */
#ifndef JUROM_WORKER_LINK_H_
#define JUROM_WORKER_LINK_H_

#include <stdbool.h>
#include <stdint.h>

#include <doca_urom.h>

#include "deadline.h"
#include "requests.h"
#include "session.h"

enum link_state {
    LINK_NONE,
    LINK_OPENING,   /* waits for the session */
    LINK_SPAWNING,  /* has sent SPAWN */
    LINK_ATTACHING, /* has sent ATTACH */
    LINK_UP,
    LINK_LOSING,    /* worker or service lost: receives the last results, and the reason */
    LINK_DETACHING, /* has sent DETACH */
    LINK_RELEASING, /* has sent RELEASE */
};

struct worker_link {
    enum link_state state;
    struct service_location *location; /* a counted reference */
    struct session *session;
    struct session_user session_user;
    struct request control; /* of the session: SPAWN, RELEASE and WORKER_GONE */
    struct request data;    /* of the channel: ATTACH and DETACH */
    struct deadline deadline;
    unsigned attempts; /* number of SPAWNs sent by this start */
    bool is_new;       /* the process was created for this context */
    /* The worker that the service has assigned. */
    uint64_t spawned_id;
    bool has_spawned_group;
    uint32_t spawned_group;
};

/*
 * The start operation of the context. Returns IN_PROGRESS, after which doca_pe_progress continues
 * the start, or an error.
 */
doca_error_t worker_link_start(struct doca_ctx *ctx);

/* The stop operation. Completes tasks in flight with SHUTDOWN and returns IN_PROGRESS. */
doca_error_t worker_link_stop(struct doca_ctx *ctx);

#endif /* JUROM_WORKER_LINK_H_ */
