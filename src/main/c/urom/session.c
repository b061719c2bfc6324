/* SPDX-License-Identifier: Apache-2.0 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <common/idle.h>
#include <common/printable.h>
#include <common/private.h>
#include <common/sdk_log.h>
#include <faults/faults.h>

#include "session.h"

SDK_LOG_REGISTER(UROM::SESSION)

#define NS_PER_SECOND 1000000000
#define POLL_PERIOD_NS 1000000
#define POLL_SKIPS 32 /* progress calls between two clock reads */
#define FRAMES_A_POLL 16

/* The sessions of one progress engine, attached to it at first use and freed with it. */
struct sessions {
    struct pe_attachment attachment;
    struct doca_pe *pe;
    struct session *first;
    struct pe_poller closing; /* of channels to workers */
    bool polls_closing;
};

static void destroy_sessions(struct pe_attachment *attachment)
{
    channels_finish_closing();
    free(CONTAINER_OF(attachment, struct sessions, attachment));
}

static unsigned poll_closing(struct pe_poller *poller)
{
    struct sessions *sessions = CONTAINER_OF(poller, struct sessions, closing);

    if (channels_closing() == 0) {
        priv_doca_pe_remove_poller(sessions->pe, poller);
        sessions->polls_closing = false;
    }
    return 0;
}

/* Closing channels have no descriptor; they are polled for some milliseconds. */
static doca_error_t arm_closing(struct pe_poller *poller)
{
    (void)poller;
    return DOCA_ERROR_AGAIN;
}

void session_close_channel(struct session *session, struct channel *channel)
{
    struct sessions *sessions = session->all;

    channel_close(channel);
    if (sessions->polls_closing || channels_closing() == 0)
        return;
    sessions->polls_closing = true;
    sessions->closing = (struct pe_poller){ .poll = poll_closing, .arm = arm_closing, .fd = -1 };
    priv_doca_pe_add_poller(
            sessions->pe, &sessions->closing); /* cannot fail without a descriptor */
}

/* Returns NULL if there is no memory. */
static struct sessions *sessions_of(struct doca_pe *pe)
{
    static const int key;
    struct pe_attachment *attachment = priv_doca_pe_attachment(pe, &key);
    struct sessions *made;

    if (attachment != NULL)
        return CONTAINER_OF(attachment, struct sessions, attachment);
    made = FAULT_ALLOCATE(session_memory, calloc(1, sizeof(*made)));
    if (made == NULL)
        return NULL;
    made->attachment = (struct pe_attachment){ .key = &key, .destroy = destroy_sessions };
    made->pe = pe;
    priv_doca_pe_attach(pe, &made->attachment);
    return made;
}

static struct session *of_receiver(struct channel_receiver *receiver)
{
    return CONTAINER_OF(receiver, struct session, receiver);
}

static void notify_users(struct session *session, doca_error_t status)
{
    struct session_user *next;

    for (struct session_user *user = session->users; user != NULL; user = next) {
        next = user->next;
        user->changed(user, status);
    }
}

static void lose(struct session *session, doca_error_t status)
{
    if (session->state == SESSION_LOST)
        return;

    session->state = SESSION_LOST;
    session->status = status;
    priv_doca_pe_remove_poller(session->all->pe, &session->poller);
    notify_users(session, status);
}

static void set_refusal(struct session *session, const char *reason, size_t length)
{
    free(session->refusal);
    session->refusal = priv_doca_printable(reason, length);
}

/* An unreachable address is an error only if it is the last one. */
static uint32_t unreachable_level(const struct session *session)
{
    return session->location->others == NULL ? DOCA_LOG_LEVEL_ERROR : DOCA_LOG_LEVEL_INFO;
}

static void handle_channel_end(struct session *session)
{
    doca_error_t status = channel_status(session->channel);

    if (session->state == SESSION_OPENING) {
        set_refusal(session, channel_reason(session->channel),
                strlen(channel_reason(session->channel)));
        SDK_LOG(unreachable_level(session),
                "The UROM service at %s could not be reached: %s Check that the daemon runs and listens "
                "there.",
                session->location->name, channel_reason(session->channel));
        if (status == DOCA_ERROR_CONNECTION_RESET)
            status = DOCA_ERROR_CONNECTION_ABORTED;
    } else if (session->state == SESSION_OPEN) {
        SDK_LOG_WARN("The connection to the UROM service at %s was lost: %s",
                session->location->name, channel_reason(session->channel));
    }
    lose(session, status);
}

doca_error_t session_send(struct session *session, const struct wire_frame *frame)
{
    return session->state == SESSION_LOST ? session->status
                                          : channel_send_frame(session->channel, frame);
}

static doca_error_t send_hello(struct session *session)
{
    struct wire_frame frame = {
        .type = WIRE_HELLO,
        .request_id = session->handshake.id,
        .hello = { session->location->max_message_size, JUROM_RELEASE },
    };
    doca_error_t status;

    FAULT_DROP(host_hello_sending, channel_socket(session->channel));
    status = session_send(session, &frame);
    FAULT_DROP(host_hello_sent, channel_socket(session->channel));
    return status;
}

static doca_error_t handle_welcome(struct session *session, const struct wire_welcome *welcome)
{
    struct wire_plugin plugin;

    session->plugins = FAULT_ALLOCATE(
            welcome_memory, calloc(welcome->plugin_count + 1, sizeof(*session->plugins)));
    if (session->plugins == NULL)
        return DOCA_ERROR_NO_MEMORY;

    for (uint32_t i = 0; wire_welcome_plugin(welcome, i, &plugin); ++i) {
        session->plugins[i].id = plugin.id;
        session->plugins[i].version = plugin.version;
        strncpy(session->plugins[i].plugin_name, plugin.name, DOCA_UROM_PLUGIN_NAME_MAX_LEN - 1);
        ++session->plugin_count;
    }
    session->core_count = welcome->core_count;
    memcpy(&session->cpu_set, welcome->cpu_set, sizeof(session->cpu_set));
    session->state = SESSION_OPEN;
    notify_users(session, DOCA_SUCCESS);
    return DOCA_SUCCESS;
}

static void handshake_answered(struct request *request, const struct wire_frame *frame)
{
    struct session *session = CONTAINER_OF(request, struct session, handshake);
    doca_error_t status;

    if (session->state != SESSION_OPENING)
        return;

    switch (frame->type) {
    case WIRE_WELCOME:
        FAULT_DROP(host_welcome_received, channel_socket(session->channel));
        status = handle_welcome(session, &frame->welcome);
        break;
    case WIRE_ERROR:
        SDK_LOG_ERR("The UROM service at %s rejected the connection: %.*s", session->location->name,
                (int)frame->error.text.length, (const char *)frame->error.text.data);
        set_refusal(session, (const char *)frame->error.text.data, frame->error.text.length);
        status = frame->error.status;
        break;
    default:
        SDK_LOG_ERR("The UROM service at %s answered with a frame of type %d: it is not a UROM "
                    "service of this version",
                session->location->name, frame->type);
        status = DOCA_ERROR_UNEXPECTED;
        break;
    }
    if (status != DOCA_SUCCESS)
        lose(session, status);
}

/* Passes a frame to the request that it answers. Other errors are about the session. */
static void receive(struct channel_receiver *receiver, const uint8_t *data, size_t length)
{
    struct session *session = of_receiver(receiver);
    struct wire_frame frame;
    struct request *request;

    if (wire_decode(data, length, session->location->max_message_size, &frame) != DOCA_SUCCESS) {
        channel_end(session->channel, DOCA_ERROR_UNEXPECTED, "the service sent a malformed frame");
        return;
    }
    request = requests_find(&session->requests, frame.request_id);
    if (request == NULL && frame.type == WIRE_ERROR && session->state == SESSION_OPENING)
        request = &session->handshake;
    if (request != NULL)
        request->answered(request, &frame);
    else if (frame.type == WIRE_ERROR)
        SDK_LOG_ERR("The UROM service at %s reports: %.*s", session->location->name,
                (int)frame.error.text.length, (const char *)frame.error.text.data);
    else
        SDK_LOG_DBG("A frame of type %d answers no pending request and is dropped", frame.type);
}

/* A service sends no commands or notifications. */
static void *begin_payload(
        struct channel_receiver *receiver, const uint8_t prefix[WIRE_PREFIX_SIZE], size_t length)
{
    (void)prefix;
    (void)length;
    channel_end(of_receiver(receiver)->channel, DOCA_ERROR_UNEXPECTED,
            "the service sent a frame that is not for hosts");
    return NULL;
}

static void session_free(struct session *session)
{
    priv_doca_pe_remove_poller(session->all->pe, &session->poller);
    if (session->channel != NULL)
        channel_close(session->channel);
    counters_close(&session->counters);
    requests_free(&session->requests);
    service_location_release(session->location);
    free(session->plugins);
    free(session->refusal);
    free(session);
}

/* Closes unused sessions. */
static void close_unused(struct sessions *sessions)
{
    struct session **link = &sessions->first;

    while (*link != NULL) {
        struct session *session = *link;

        if (session->users == NULL && !session->polling) {
            *link = session->next;
            session_free(session);
        } else {
            link = &session->next;
        }
    }
}

/* Polls now, and returns the amount of work done. May free the session. */
static unsigned poll_now(struct session *session)
{
    struct sessions *all = session->all;
    unsigned found;

    session->due = false;
    session->polling = true;
    found = channel_poll(session->channel, FRAMES_A_POLL);
    if (channel_status(session->channel) != DOCA_SUCCESS
            && channel_status(session->channel) != DOCA_ERROR_IN_PROGRESS)
        handle_channel_end(session);
    session->polling = false;
    close_unused(all);
    return found;
}

static bool is_due(struct session *session)
{
    uint64_t now;

    if (session->waiters > 0 || session->due)
        return true;
    if (++session->skips < POLL_SKIPS)
        return false;
    session->skips = 0;
    now = idle_now_ns();
    if (now - session->polled < POLL_PERIOD_NS)
        return false;
    session->polled = now;
    return true;
}

static unsigned poll_session(struct pe_poller *poller)
{
    struct session *session = CONTAINER_OF(poller, struct session, poller);

    return is_due(session) ? poll_now(session) : 0;
}

static doca_error_t arm_session(struct pe_poller *poller)
{
    struct session *session = CONTAINER_OF(poller, struct session, poller);

    session->due = true;
    return channel_arm(session->channel, true);
}

static doca_error_t begin(struct session *session, char reason[SERVICE_REASON_MAX])
{
    struct service_location *location = session->location;
    struct channel_settings settings = {
        .receiver = &session->receiver,
        .max_message_size = location->max_message_size,
        .reason = reason,
        .reason_capacity = SERVICE_REASON_MAX,
        .has_alternative = location->others != NULL,
    };
    doca_error_t status;

    session->receiver = (struct channel_receiver){ .begin_payload = begin_payload,
        .receive = receive };
    session->handshake.answered = handshake_answered;
    session->poller = (struct pe_poller){ .poll = poll_session, .arm = arm_session, .fd = -1 };
    status = requests_open(&session->requests, &session->handshake);
    if (status == DOCA_SUCCESS)
        status = channel_connect_service(
                &location->address, location->identity, &settings, &session->channel);
    if (status == DOCA_SUCCESS) {
        session->poller.fd = channel_descriptor(session->channel);
        status = priv_doca_pe_add_poller(session->all->pe, &session->poller);
    } else {
        SDK_LOG(unreachable_level(session),
                "The UROM service at %s could not be reached. Check that the daemon runs and listens "
                "there.",
                location->name);
    }
    return status == DOCA_SUCCESS ? send_hello(session) : status;
}

static doca_error_t make(struct sessions *sessions, struct service_location *location,
        struct session **session, char reason[SERVICE_REASON_MAX])
{
    struct session *made = FAULT_ALLOCATE(session_memory, calloc(1, sizeof(*made)));
    doca_error_t status;

    if (made == NULL)
        return DOCA_ERROR_NO_MEMORY;

    made->all = sessions;
    made->location = service_location_retain(location);
    status = begin(made, reason);
    if (status != DOCA_SUCCESS) {
        session_free(made);
        return status;
    }
    made->next = sessions->first;
    sessions->first = made;
    *session = made;
    return DOCA_SUCCESS;
}

doca_error_t session_acquire(struct doca_pe *pe, struct service_location *location,
        struct session_user *user, struct session **session, char reason[SERVICE_REASON_MAX])
{
    struct sessions *sessions = sessions_of(pe);
    doca_error_t status = DOCA_SUCCESS;
    struct session *found;

    if (sessions == NULL)
        return DOCA_ERROR_NO_MEMORY;
    found = sessions->first;
    while (found != NULL
            && (found->state == SESSION_LOST || !service_location_equal(found->location, location)))
        found = found->next;
    if (found == NULL)
        status = make(sessions, location, &found, reason);
    if (status != DOCA_SUCCESS)
        return status;

    user->next = found->users;
    found->users = user;
    *session = found;
    return DOCA_SUCCESS;
}

void session_release(struct session *session, struct session_user *user)
{
    struct session_user **link = &session->users;

    while (*link != user)
        link = &(*link)->next;
    *link = user->next;
    close_unused(session->all);
}

doca_error_t session_await(struct session *session, uint64_t ns)
{
    uint64_t deadline = idle_now_ns() + ns;
    struct pollfd readable = { .fd = channel_descriptor(session->channel), .events = POLLIN };

    while (session->state == SESSION_OPENING) {
        uint64_t now = idle_now_ns();

        if (now > deadline) {
            SDK_LOG(unreachable_level(session),
                    "The UROM service at %s did not answer within %.0f s", session->location->name,
                    (double)ns / NS_PER_SECOND);
            return DOCA_ERROR_TIME_OUT;
        }
        if (poll_now(session) == 0 && channel_arm(session->channel, true) == DOCA_SUCCESS)
            (void)FAULT_CALL(
                    session_poll, poll(&readable, 1, (int)((deadline - now) / 1000000 + 1)));
    }
    return session->state == SESSION_OPEN ? DOCA_SUCCESS : session->status;
}
