/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A session: one authenticated connection to a service, shared by the contexts of one progress
 * engine. It opens in the background and lives until its last user has gone.
 *
 *     OPENING -> OPEN -> LOST
 */
#ifndef JUROM_SESSION_H_
#define JUROM_SESSION_H_

#include <stdatomic.h>
#include <stdint.h>
#include <sys/socket.h>

#include <doca_urom.h>
#include <net/net.h>
#include <wire/authentication.h>
#include <wire/wire.h>

#include "engine.h"
#include "requests.h"

/*
 * Where a service is and how to talk to it. Constant once made, and read by many threads; freed
 * when the last reference has gone.
 */
struct service_location {
    atomic_uint references;
    struct sockaddr_storage address;
    socklen_t address_length;
    char name[320]; /* as the service file has it, for messages */
    char net_devices[256]; /* empty: no restriction */
    struct authentication_key key;
    uint32_t max_message_size;
};

enum session_state {
    SESSION_OPENING,
    SESSION_OPEN,
    SESSION_LOST,
};

/* A context that uses a session. Embedded in its owner. */
struct session_user {
    struct session_user *next;
    /*
     * The session is open (SUCCESS), or lost with this status. Runs inside doca_pe_progress or a
     * blocking start. The user may release the session.
     */
    void (*changed)(struct session_user *user, doca_error_t status);
};

struct session {
    struct session *next; /* of its engine */
    struct engine *engine;
    struct service_location *location;
    struct net_endpoint endpoint;
    struct request handshake;
    enum session_state state;
    doca_error_t status; /* why it was lost */
    uint8_t client_nonce[WIRE_NONCE_SIZE];
    uint8_t server_nonce[WIRE_NONCE_SIZE];
    struct session_user *users;
    /* What the service told, valid when OPEN. */
    uint32_t core_count;
    doca_cpu_set_t cpu_set;
    struct doca_urom_service_plugin_info *plugins;
    uint32_t plugin_count;
};

/* Counts a reference, or takes one back. */
struct service_location *service_location_retain(struct service_location *location);
void service_location_release(struct service_location *location);

/* Joins the engine's session with this service, or begins one. */
doca_error_t session_acquire(struct engine *engine, struct service_location *location,
        struct session_user *user, struct session **session);

/* Leaves the session; it is closed when nobody is left. */
void session_release(struct session *session, struct session_user *user);

/* Sends a frame to the service. */
doca_error_t session_send(struct session *session, const struct wire_frame *frame);

/* Closes the engine's sessions that nobody uses any more. */
void sessions_reap(struct engine *engine);

#endif /* JUROM_SESSION_H_ */
