/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The transport of one progress engine. Frames are decoded here and given to the request that they
 * answer; what answers nobody is dropped.
 *
 * Polling tcp costs a system call, so the control side is polled once in a while when nothing is
 * awaited from it: often enough to learn of a worker's death within a few milliseconds.
 */
#include <stdlib.h>

#include <common/idle.h>
#include <common/sdk_log.h>
#include <wire/wire.h>

#include "engine.h"
#include "inbox.h"
#include "session.h"

SDK_LOG_REGISTER(UROM::ENGINE)

#define CONTROL_PERIOD_NS 2000000
#define CONTROL_SKIPS 32 /* polls between two looks at the clock */

static const int engine_key;

void engine_receive(void *owner, const uint8_t *data, size_t length)
{
    struct engine *engine = owner;
    struct wire_frame frame;
    struct request *request;
    doca_error_t status;

    status = wire_decode(data, length, engine->max_message_size, &frame);
    if (status != DOCA_SUCCESS) {
        SDK_LOG_WARN("A message of %zu bytes from a peer is no frame: %s. It was dropped.", length,
                doca_error_get_descr(status));
        return;
    }
    request = requests_find(&engine->requests, (uint32_t)frame.request_id);
    if (request != NULL)
        request->answered(request, &frame);
    else
        SDK_LOG_DBG("A frame of type %d answers nothing that is awaited: dropped", frame.type);
}

unsigned engine_poll_control(struct engine *engine)
{
    unsigned found;

    engine->control_due = false;
    engine->polling_control = true;
    found = net_progress(&engine->control);
    engine->polling_control = false;
    sessions_reap(engine);
    return found;
}

static bool control_is_due(struct engine *engine)
{
    uint64_t now;

    if (engine->control_waiters > 0 || engine->control_due)
        return true;
    if (++engine->control_skips < CONTROL_SKIPS)
        return false;
    engine->control_skips = 0;
    now = idle_now_ns();
    if (now - engine->control_polled < CONTROL_PERIOD_NS)
        return false;
    engine->control_polled = now;
    return true;
}

static unsigned poll_control(struct pe_poller *poller)
{
    struct engine *engine = CONTAINER_OF(poller, struct engine, control_poller);

    return control_is_due(engine) ? engine_poll_control(engine) : 0;
}

static doca_error_t arm_control(struct pe_poller *poller)
{
    struct engine *engine = CONTAINER_OF(poller, struct engine, control_poller);

    engine->control_due = true;
    return net_arm(&engine->control);
}

static void destroy(struct pe_attachment *attachment)
{
    struct engine *engine = CONTAINER_OF(attachment, struct engine, attachment);

    inbox_free(engine->spare);
    if (engine->has_control)
        net_close(&engine->control);
    requests_free(&engine->requests);
    free(engine);
}

doca_error_t engine_of(struct doca_pe *pe, struct engine **engine)
{
    struct pe_attachment *attachment = priv_doca_pe_attachment(pe, &engine_key);
    struct engine *made;

    if (attachment != NULL) {
        *engine = CONTAINER_OF(attachment, struct engine, attachment);
        return DOCA_SUCCESS;
    }

    made = calloc(1, sizeof(*made));
    if (made == NULL)
        return DOCA_ERROR_NO_MEMORY;
    made->attachment = (struct pe_attachment){ .key = &engine_key, .destroy = destroy };
    made->pe = pe;
    priv_doca_pe_attach(pe, &made->attachment);
    *engine = made;
    return DOCA_SUCCESS;
}

doca_error_t engine_open_control(struct engine *engine)
{
    doca_error_t status;

    if (engine->has_control)
        return DOCA_SUCCESS;

    status = net_open(&engine->control, NET_CONTROL, engine_receive, engine, NULL);
    if (status != DOCA_SUCCESS)
        return status;
    engine->control_poller = (struct pe_poller){
        .poll = poll_control,
        .arm = arm_control,
        .fd = engine->control.event_fd,
    };
    status = priv_doca_pe_add_poller(engine->pe, &engine->control_poller);
    engine->has_control = status == DOCA_SUCCESS;
    if (status != DOCA_SUCCESS)
        net_close(&engine->control);
    return status;
}
