/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include <common/private.h>
#include <common/sdk_log.h>
#include <faults/faults.h>

#include "worker.h"
#include "worker_counters.h"

SDK_LOG_REGISTER(UROM::WORKER::NOTIFICATION)

#define HEADER sizeof(struct urom_worker_notify)
#define FREE_MAX 4 /* buffers kept for reuse */
#define ALIGNMENT 64
#define TEXT_MARK "\0uromerr" /* precedes the text of a failure; as in FailureText.java */

_Static_assert(HEADER >= WIRE_PREFIX_SIZE, "the frame's prefix replaces the header");

/*
 * The plugin packs a whole urom_worker_notify. The frame's prefix then overwrites the end of its
 * header, directly before the payload.
 */
struct notification {
    struct channel_message message;
    ucs_list_link_t entry; /* in the connection's list of waiting messages */
    struct notification *next_free;
    struct worker *worker;
    size_t capacity;
    _Alignas(ALIGNMENT) uint8_t bytes[];
};

static void release(struct notification *buffer)
{
    struct notifications *pool = &buffer->worker->notifications;

    if (buffer->capacity != buffer->worker->configuration.max_message_size
            || pool->free_count == FREE_MAX) {
        free(buffer);
        return;
    }
    buffer->next_free = pool->free;
    pool->free = buffer;
    ++pool->free_count;
}

static void message_done(struct channel_message *message)
{
    struct notification *buffer = CONTAINER_OF(message, struct notification, message);

    ucs_list_del(&buffer->entry);
    release(buffer);
}

static struct notification *make(struct worker *worker, size_t capacity)
{
    size_t size = (sizeof(struct notification) + capacity + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    struct notification *made = FAULT_ALLOCATE(
            worker_answer_memory, aligned_alloc(ALIGNMENT, size));

    if (made == NULL)
        return NULL;
    made->message.done = message_done;
    made->worker = worker;
    made->capacity = capacity;
    return made;
}

static void end_unanswered(struct connection *connection)
{
    static const char reason[] = "out of memory for the answer to a command";

    SDK_LOG_ERR("Closing a host's connection: %s", reason);
    counting_break(DOCA_ERROR_NO_MEMORY);
    channel_end(connection->channel, DOCA_ERROR_NO_MEMORY, reason);
    connections_mark_over(connection);
}

/*
 * Returns a buffer for the longest message to this host. It stays in the pool unless the message
 * has to wait. If there is no memory, ends the connection, because the host would wait for the
 * answer forever, and returns NULL.
 */
static struct notification *borrow(struct connection *connection)
{
    struct worker *worker = connection->worker;
    struct notifications *pool = &worker->notifications;

    if (pool->free == NULL) {
        struct notification *made = make(worker, worker->configuration.max_message_size);

        if (made == NULL)
            end_unanswered(connection);
        else
            release(made);
    }
    return pool->free;
}

/* Copies a message that will wait to a smaller buffer if it uses at most a quarter of its own. */
static struct notification *fit(struct notification *buffer, size_t length)
{
    struct notification *fitting = length > buffer->capacity / 4
            ? NULL
            : make(buffer->worker, HEADER + length);

    if (fitting == NULL)
        return buffer;
    memcpy(fitting->bytes, buffer->bytes, HEADER + length);
    return fitting;
}

/* Handles a message that the channel queued for lack of room, or rejected because it has ended. */
static __attribute__((noinline)) void keep_or_release(
        struct notification *buffer, struct connection *connection, doca_error_t outcome)
{
    struct notifications *pool = &buffer->worker->notifications;

    if (pool->free == buffer) {
        pool->free = buffer->next_free;
        --pool->free_count;
    }
    if (outcome == DOCA_ERROR_IN_PROGRESS)
        ucs_list_add_tail(&connection->messages, &buffer->entry);
    else
        release(buffer);
}

/* The host being served is pushed when its turn ends, any other when the round ends. */
static void queue_push(struct connection *connection)
{
    struct notifications *notifications = &connection->worker->notifications;

    if (!connection->unpushed) {
        connection->unpushed = true;
        connection->next_unpushed = notifications->unpushed;
        notifications->unpushed = connection;
    }
}

/* Sends the `length` plugin bytes that follow the notification header in the borrowed buffer. */
static void send_buffer(struct notification *buffer, struct connection *connection,
        uint64_t request_id, doca_error_t status, size_t length)
{
    const size_t whole = WIRE_PREFIX_SIZE + length;
    doca_error_t outcome;
    uint8_t *prefix;

    counting_answer(connection, request_id, whole, status);
    if (channel_waiting(connection->channel) > 0)
        buffer = fit(buffer, length);
    prefix = buffer->bytes + HEADER - WIRE_PREFIX_SIZE;
    wire_put_notification(prefix, request_id, status, length);
    FAULT_BYTES(worker_answer_header, prefix, WIRE_PREFIX_SIZE);
    FAULT_REACH(worker_answer_sending);
    outcome = channel_send(connection->channel, prefix, whole, &buffer->message);
    if (outcome != DOCA_SUCCESS)
        keep_or_release(buffer, connection, outcome);
    FAULT_DROP(worker_answer_sent, channel_socket(connection->channel));
    connections_activate(connection);
    queue_push(connection);
}

void notifications_answer(struct connection *connection, uint64_t request_id, doca_error_t status)
{
    struct notification *buffer = borrow(connection);

    if (buffer != NULL)
        send_buffer(buffer, connection, request_id, status, 0);
}

/* Marks the command as answered. Returns false if it was not pending. */
static bool count_answer(struct connection *connection, uint64_t request_id)
{
    if (!pending_take(&connection->pending, request_id))
        return false;
    --*counting_pending();
    return true;
}

void notifications_answer_pending(
        struct connection *connection, uint64_t request_id, doca_error_t status)
{
    if (count_answer(connection, request_id))
        notifications_answer(connection, request_id, status);
}

void notifications_explain_pending(
        struct connection *connection, uint64_t request_id, doca_error_t status, const char *text)
{
    struct notification *buffer;
    size_t length = sizeof(TEXT_MARK) - 1 + strlen(text);

    if (!count_answer(connection, request_id))
        return;
    buffer = borrow(connection);
    if (buffer == NULL)
        return;
    if (HEADER + length > connection->worker->configuration.max_message_size)
        length = 0;
    memcpy(buffer->bytes + HEADER, TEXT_MARK, length == 0 ? 0 : sizeof(TEXT_MARK) - 1);
    memcpy(buffer->bytes + HEADER + sizeof(TEXT_MARK) - 1, text, length == 0 ? 0 : strlen(text));
    send_buffer(buffer, connection, request_id, status, length);
}

/* Called between plugin_enter and plugin_leave. */
static void pack_and_send(struct worker *worker, struct plugin *plugin,
        struct connection *connection, struct urom_worker_notify *notify)
{
    struct notification *buffer = borrow(connection);
    uint64_t request_id = notify->urom_context;
    size_t length = worker->configuration.max_message_size;
    doca_error_t status;

    if (buffer == NULL)
        return;
    status = plugin->ctx.iface.notif_pack(notify, &length, buffer->bytes);
    length = FAULT_ANSWER_LENGTH(plugin_answer, length);
    if (status == DOCA_SUCCESS
            && (length < HEADER || length > worker->configuration.max_message_size))
        status = DOCA_ERROR_UNEXPECTED;
    if (status == DOCA_SUCCESS) {
        status = notify->status;
    } else {
        SDK_LOG_ERR("The plugin %s could not pack a notification: %s", plugin->path,
                doca_error_get_descr(status));
        length = HEADER;
    }
    send_buffer(buffer, connection, request_id, status, length - HEADER);
}

static void send_answer(
        struct worker *worker, struct plugin *plugin, struct urom_worker_notif_desc *desc)
{
    struct connection *connection = connections_find(&worker->connections, desc->dest_id);

    /* Drops it if the host disconnected, or if no such command is pending. */
    if (connection != NULL && count_answer(connection, desc->worker_notif.urom_context))
        pack_and_send(worker, plugin, connection, &desc->worker_notif);
    else
        counting_dropped();
}

void notifications_send(
        struct worker *worker, struct plugin *plugin, struct urom_worker_notif_desc *desc)
{
    enum fault_action fault = FAULT_ANSWER(plugin_answer);

    if (fault == FAULT_WRONG_CONTEXT)
        desc->worker_notif.urom_context = ~desc->worker_notif.urom_context;
    if (fault != FAULT_SILENCE)
        send_answer(worker, plugin, desc);
    if (fault == FAULT_TWICE)
        send_answer(worker, plugin, desc);
}

void notifications_push(struct worker *worker)
{
    struct notifications *notifications = &worker->notifications;

    while (notifications->unpushed != NULL) {
        struct connection *connection = notifications->unpushed;

        notifications->unpushed = connection->next_unpushed;
        connection->unpushed = false;
        FAULT_REACH(worker_answers_leaving);
        channel_push(connection->channel);
    }
}

void notifications_unqueue(struct connection *connection)
{
    struct connection **link = &connection->worker->notifications.unpushed;

    while (*link != NULL && *link != connection)
        link = &(*link)->next_unpushed;
    if (*link != NULL)
        *link = connection->next_unpushed;
}

void notifications_drop(struct connection *connection)
{
    ucs_list_link_t *messages = &connection->messages;

    while (!ucs_list_is_empty(messages))
        release(ucs_list_extract_head(messages, struct notification, entry));
}

void notifications_free(struct worker *worker)
{
    while (worker->notifications.free != NULL) {
        struct notification *buffer = worker->notifications.free;

        worker->notifications.free = buffer->next_free;
        free(buffer);
    }
}
