/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The address of a service and the settings to connect to it. Constant after the start of its
 * service context, read by several threads, and freed with the last reference.
 */
#ifndef JUROM_SERVICE_LOCATION_H_
#define JUROM_SERVICE_LOCATION_H_

#include <limits.h>
#include <netdb.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <channel/channel.h>
#include <doca_error.h>

#include "service_file.h"

#define SERVICE_REASON_MAX 512

struct service_location {
    atomic_uint references;
    char name[320];                 /* as in the service file, for messages */
    struct channel_address address; /* to connect to */
    struct addrinfo *addresses;     /* of the host; NULL: a service on this machine */
    const struct addrinfo *others;  /* those not yet tried as `address` */
    char devices[256];              /* network devices to use, comma-separated; empty: any */
    char key_file[PATH_MAX]; /* empty for a service on this machine, which needs no identity */
    struct channel_identity *identity;
    uint32_t max_message_size;
};

/*
 * Creates the location of the service in `entry`: resolves its host, and reads the key file if the
 * service is on another machine. Errors are logged. Writes a sentence about an error of the key file
 * or of the host's name to `reason`, which is otherwise unchanged.
 */
doca_error_t service_location_create(const struct service_entry *entry, uint32_t max_message_size,
        struct service_location **location, char reason[SERVICE_REASON_MAX]);

/*
 * Switches to the next address of the host. Returns false if there is none. Call only while the
 * service context starts.
 */
bool service_location_next(struct service_location *location);

/* Adds a reference and returns `location`. Thread-safe. */
struct service_location *service_location_retain(struct service_location *location);

/* Releases a reference; the last release frees the location. NULL has no effect. Thread-safe. */
void service_location_release(struct service_location *location);

/* Returns whether both can use the same session. */
bool service_location_equal(
        const struct service_location *left, const struct service_location *right);

#endif /* JUROM_SERVICE_LOCATION_H_ */
