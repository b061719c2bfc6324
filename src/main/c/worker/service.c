/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <common/sdk_log.h>
#include <counters/process_start.h>
#include <faults/faults.h>

#include "launcher.h"
#include "worker.h"

SDK_LOG_REGISTER(UROM::WORKER::SERVICE)

/* Duplicates `number` to a private descriptor, then makes `number` a duplicate of `other`. */
static int reserve(int number, int other)
{
    int fd = fcntl(number, F_DUPFD_CLOEXEC, LAUNCHED_COUNTERS + 1);

    if (fd >= 0 && other >= 0)
        dup2(other, number);
    return fd;
}

bool service_reserve_pipes(struct service *service)
{
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);

    service->source.kind = SOURCE_SERVICE;
    service->input = reserve(STDIN_FILENO, nothing);
    service->output = reserve(STDOUT_FILENO, STDERR_FILENO);
    if (nothing >= 0)
        close(nothing);
    return service->input >= 0 && service->output >= 0;
}

bool service_open(struct worker *worker)
{
    struct service *service = &worker->service;

    service->process = (pid_t)counters_process_parent((uint64_t)getppid());
    return fcntl(service->input, F_SETFL, O_NONBLOCK) == 0
            && fcntl(service->output, F_SETFL, O_NONBLOCK) == 0
            && events_watch(&worker->events, service->input, &service->source, EPOLLIN);
}

void service_write(struct worker *worker)
{
    struct service *service = &worker->service;
    size_t written = 0;

    if (service->waiting_length == 0)
        return;
    while (written < service->waiting_length) {
        ssize_t count = FAULT_TRANSFER(service_write,
                write(service->output, service->waiting + written,
                        FAULT_LENGTH(service_write, service->waiting_length - written)));

        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0 && errno != EAGAIN)
            written = service->waiting_length; /* the service has exited */
        if (count < 0)
            break;
        written += (size_t)count;
    }
    service->waiting_length -= written;
    memmove(service->waiting, service->waiting + written, service->waiting_length);
    if (service->waiting_length == 0)
        events_unwatch(&worker->events, service->output);
}

/* Drops the answer if SERVICE_OUTPUT_MAX bytes are unread: the service is stalled. */
static void answer(struct worker *worker, const struct wire_frame *frame)
{
    struct service *service = &worker->service;
    bool waited = service->waiting_length > 0;
    size_t length = 0;
    doca_error_t status = wire_encode(frame, service->waiting + service->waiting_length,
            sizeof(service->waiting) - service->waiting_length, &length);

    if (status != DOCA_SUCCESS) {
        SDK_LOG_WARN("The service could not be answered: %s", doca_error_get_descr(status));
        return;
    }
    FAULT_BYTES(
            service_answer_header, service->waiting + service->waiting_length, WIRE_HEADER_SIZE);
    FAULT_REACH(worker_service_answering);
    service->waiting_length += length;
    if (!waited)
        service_write(worker);
    FAULT_REACH(worker_service_answered);
    if (!waited && service->waiting_length > 0)
        events_watch(&worker->events, service->output, &service->source, EPOLLOUT);
}

static void answer_error(
        struct worker *worker, uint64_t request_id, doca_error_t status, const char *reason)
{
    struct wire_frame frame = {
        .type = WIRE_ERROR,
        .request_id = request_id,
        .error = { status, { (const uint8_t *)reason, strlen(reason) } },
    };

    SDK_LOG_WARN("A ticket was rejected: %s", reason);
    answer(worker, &frame);
}

static void handle_ticket(struct worker *worker, const struct wire_frame *frame)
{
    struct listener *listener = NULL;
    char reason[REASON_MAX] = "";
    doca_error_t status = DOCA_SUCCESS;

    if (frame->ticket.flags & WIRE_FLAG_OVER_TCP)
        status = listeners_join(worker, &frame->ticket, &listener, reason);
    if (status == DOCA_SUCCESS) {
        status = tickets_add(worker, &frame->ticket, listener);
        if (status != DOCA_SUCCESS && listener != NULL)
            listeners_leave(worker, listener);
    }
    if (status == DOCA_ERROR_FULL && reason[0] == '\0')
        fail_with(reason, status, "the worker has %d open tickets, the maximum", TICKETS_MAX);
    if (status != DOCA_SUCCESS)
        answer_error(worker, frame->request_id, status, reason);
    else if (listener != NULL)
        answer(worker,
                &(struct wire_frame){ .type = WIRE_LISTENING,
                        .request_id = frame->request_id,
                        .listening.port = listener->port });
}

void service_stop(struct service *service)
{
    service->stopping = true;
}

static void stop(struct worker *worker, const char *reason)
{
    if (!worker->service.stopping)
        SDK_LOG_INFO("The worker exits: %s", reason);
    service_stop(&worker->service);
    events_unwatch(&worker->events, worker->service.input);
}

static void handle_frame(struct worker *worker, const struct wire_frame *frame)
{
    switch (frame->type) {
    case WIRE_TICKET:
        FAULT_REACH(worker_ticket_given);
        handle_ticket(worker, frame);
        break;
    case WIRE_HOST_GONE:
        FAULT_REACH(worker_session_end_received);
        tickets_end_session(worker, frame->session);
        connections_end_session(&worker->connections, frame->session);
        break;
    case WIRE_PING:
        FAULT_REACH(worker_pinged);
        answer(worker, &(struct wire_frame){ .type = WIRE_PONG, .request_id = frame->request_id });
        break;
    case WIRE_DRAIN:
        FAULT_REACH(worker_drain_received);
        stop(worker, "the service requested it");
        break;
    default:
        stop(worker, "the service sent a frame that is not for workers");
        break;
    }
}

/* Handles the frames that have arrived completely. */
static void handle_frames(struct worker *worker)
{
    struct service *service = &worker->service;
    struct wire_frame frame;
    size_t length = 0;
    size_t at = 0;

    while (!service->stopping && service->arrived_length - at >= WIRE_HEADER_SIZE) {
        uint8_t *bytes = service->arrived + at;

        if (wire_frame_length(bytes, 0, &length) != DOCA_SUCCESS
                || length > sizeof(service->arrived)) {
            stop(worker, "the service sent bytes that are not a frame for workers");
        } else if (service->arrived_length - at < length) {
            break;
        } else if (wire_decode(bytes, length, 0, &frame) != DOCA_SUCCESS) {
            stop(worker, "the service sent a malformed frame");
        } else {
            handle_frame(worker, &frame);
            at += length;
        }
    }
    service->arrived_length -= at;
    memmove(service->arrived, service->arrived + at, service->arrived_length);
}

void service_read(struct worker *worker)
{
    struct service *service = &worker->service;

    while (!service->stopping) {
        ssize_t count = FAULT_TRANSFER(service_read,
                read(service->input, service->arrived + service->arrived_length,
                        FAULT_LENGTH(
                                service_read, sizeof(service->arrived) - service->arrived_length)));

        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0 && errno == EAGAIN)
            break;
        if (count <= 0) {
            stop(worker, "the service has exited");
        } else {
            service->arrived_length += (size_t)count;
            handle_frames(worker);
        }
    }
}
