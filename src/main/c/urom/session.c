/* SPDX-License-Identifier: Apache-2.0 */
/* The conversation that opens a session, and its end. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <common/private.h>
#include <common/sdk_log.h>

#include "session.h"

SDK_LOG_REGISTER(UROM::SESSION)

struct service_location *service_location_retain(struct service_location *location)
{
    atomic_fetch_add(&location->references, 1);
    return location;
}

void service_location_release(struct service_location *location)
{
    if (location == NULL || atomic_fetch_sub(&location->references, 1) > 1)
        return;

    authentication_forget(&location->key);
    free(location);
}

static void tell_users(struct session *session, doca_error_t status)
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
    tell_users(session, status);
}

static void lost_peer(struct net_endpoint *endpoint, doca_error_t status)
{
    struct session *session = CONTAINER_OF(endpoint, struct session, endpoint);

    if (session->state == SESSION_OPENING) {
        SDK_LOG_ERR("The UROM service at %s could not be reached: %s. Is the daemon running there, "
                "and does the service file name its port?", session->location->name,
                doca_error_get_descr(status));
        status = DOCA_ERROR_CONNECTION_ABORTED;
    } else {
        SDK_LOG_WARN("The connection to the UROM service at %s was lost", session->location->name);
        status = DOCA_ERROR_CONNECTION_RESET;
    }
    lose(session, status);
}

doca_error_t session_send(struct session *session, const struct wire_frame *frame)
{
    return session->state == SESSION_LOST ? session->status
                                          : net_send_frame(&session->endpoint, frame);
}

static doca_error_t say_hello(struct session *session)
{
    struct wire_frame frame = {
        .type = WIRE_HELLO,
        .request_id = session->handshake.id,
        .hello = {
            .client_nonce = session->client_nonce,
            .max_message_size = session->location->max_message_size,
            .user_id = geteuid(),
        },
    };
    doca_error_t status = authentication_nonce(session->client_nonce);

    return status == DOCA_SUCCESS ? session_send(session, &frame) : status;
}

static doca_error_t answer_challenge(struct session *session, const uint8_t *server_nonce)
{
    uint8_t mac[WIRE_MAC_SIZE];
    struct wire_frame frame = {
        .type = WIRE_AUTHENTICATE,
        .request_id = session->handshake.id,
        .mac = mac,
    };
    uint32_t size = session->location->max_message_size;
    uint32_t user = geteuid();
    uint8_t tail[8];
    doca_error_t status;

    for (int i = 0; i < 4; ++i) {
        tail[i] = (uint8_t)(size >> 8 * i);
        tail[4 + i] = (uint8_t)(user >> 8 * i);
    }
    memcpy(session->server_nonce, server_nonce, WIRE_NONCE_SIZE);
    status = authentication_host_mac(&session->location->key, session->client_nonce, server_nonce,
            tail, mac);
    return status == DOCA_SUCCESS ? session_send(session, &frame) : status;
}

static doca_error_t take_plugins(struct session *session, const struct wire_welcome *welcome)
{
    struct wire_plugin plugin;

    session->plugins = calloc(welcome->plugin_count + 1, sizeof(*session->plugins));
    if (session->plugins == NULL)
        return DOCA_ERROR_NO_MEMORY;

    for (uint32_t i = 0; wire_welcome_plugin(welcome, i, &plugin); ++i) {
        session->plugins[i].id = plugin.id;
        session->plugins[i].version = plugin.version;
        strncpy(session->plugins[i].plugin_name, plugin.name, DOCA_UROM_PLUGIN_NAME_MAX_LEN - 1);
        ++session->plugin_count;
    }
    return DOCA_SUCCESS;
}

static doca_error_t take_welcome(struct session *session, const struct wire_welcome *welcome)
{
    uint8_t mac[WIRE_MAC_SIZE];
    doca_error_t status;

    status = authentication_service_mac(&session->location->key, session->client_nonce,
            session->server_nonce, mac);
    if (status == DOCA_SUCCESS && !authentication_equal(mac, welcome->mac, WIRE_MAC_SIZE)) {
        SDK_LOG_ERR("The UROM service at %s does not hold this host's key: check "
                "DOCA_UROM_KEY_FILE on both sides", session->location->name);
        status = DOCA_ERROR_AUTHENTICATION;
    }
    if (status == DOCA_SUCCESS)
        status = take_plugins(session, welcome);
    if (status != DOCA_SUCCESS)
        return status;

    session->core_count = welcome->core_count;
    memcpy(&session->cpu_set, welcome->cpu_set, sizeof(session->cpu_set));
    session->state = SESSION_OPEN;
    tell_users(session, DOCA_SUCCESS);
    return DOCA_SUCCESS;
}

static void handshake_answered(struct request *request, const struct wire_frame *frame)
{
    struct session *session = CONTAINER_OF(request, struct session, handshake);
    doca_error_t status;

    if (session->state != SESSION_OPENING)
        return;

    switch (frame->type) {
    case WIRE_CHALLENGE:
        status = answer_challenge(session, frame->server_nonce);
        break;
    case WIRE_WELCOME:
        status = take_welcome(session, &frame->welcome);
        break;
    case WIRE_ERROR:
        SDK_LOG_ERR("The UROM service at %s refused the connection: %.*s", session->location->name,
                (int)frame->error.text.length, (const char *)frame->error.text.data);
        status = frame->error.status;
        break;
    default:
        SDK_LOG_ERR("The UROM service at %s answered with a frame of type %d: it is no UROM "
                "service of this version", session->location->name, frame->type);
        status = DOCA_ERROR_UNEXPECTED;
        break;
    }
    if (status != DOCA_SUCCESS)
        lose(session, status);
}

static void session_free(struct session *session)
{
    net_disconnect(&session->endpoint);
    requests_close(&session->engine->requests, &session->handshake);
    service_location_release(session->location);
    free(session->plugins);
    free(session);
}

static doca_error_t begin(struct engine *engine, struct service_location *location,
        struct session **session)
{
    struct session *made = calloc(1, sizeof(*made));
    doca_error_t status;

    if (made == NULL)
        return DOCA_ERROR_NO_MEMORY;

    made->engine = engine;
    made->location = service_location_retain(location);
    made->handshake.answered = handshake_answered;
    made->endpoint.lost = lost_peer;
    status = requests_open(&engine->requests, &made->handshake);
    if (status == DOCA_SUCCESS)
        status = net_connect_socket(&made->endpoint, &engine->control,
                (const struct sockaddr *)&location->address, location->address_length);
    if (status == DOCA_SUCCESS)
        status = say_hello(made);
    if (status != DOCA_SUCCESS) {
        session_free(made);
        return status;
    }

    made->next = engine->sessions;
    engine->sessions = made;
    *session = made;
    return DOCA_SUCCESS;
}

static bool is_same_service(const struct service_location *left,
        const struct service_location *right)
{
    return left->max_message_size == right->max_message_size
            && left->address_length == right->address_length
            && memcmp(&left->address, &right->address, left->address_length) == 0
            && left->key.length == right->key.length
            && memcmp(left->key.bytes, right->key.bytes, left->key.length) == 0;
}

doca_error_t session_acquire(struct engine *engine, struct service_location *location,
        struct session_user *user, struct session **session)
{
    struct session *found;
    doca_error_t status = engine_open_control(engine);

    if (status != DOCA_SUCCESS)
        return status;

    for (found = engine->sessions; found != NULL; found = found->next) {
        if (found->state != SESSION_LOST && is_same_service(found->location, location))
            break;
    }
    if (found == NULL)
        status = begin(engine, location, &found);
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
    if (!session->engine->polling_control)
        sessions_reap(session->engine);
}

void sessions_reap(struct engine *engine)
{
    struct session **link = &engine->sessions;

    while (*link != NULL) {
        struct session *session = *link;

        if (session->users == NULL) {
            *link = session->next;
            session_free(session);
        } else {
            link = &session->next;
        }
    }
}
