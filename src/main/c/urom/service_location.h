/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a service is and how to talk to it. Constant once its service context has started, and read
 * by many threads; freed when the last reference has gone.
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

#define SERVICE_WHY_MAX 512

struct service_location {
    atomic_uint references;
    char name[320];                 /* as the service file has it, for messages */
    struct channel_address address; /* the one to connect to */
    struct addrinfo *addresses;     /* of the host, or NULL for a service of this machine */
    const struct addrinfo *others;  /* those that `address` has not been yet */
    char devices[256];       /* that the service file names for it, comma-separated; empty: any */
    char key_file[PATH_MAX]; /* empty for a service of this machine, as is the identity */
    struct channel_identity *identity;
    uint32_t max_message_size;
};

/*
 * Finds the service of the device at `pci_address` in the service file `file`, or that of the
 * environment if it is NULL. Reads the key file when the service is elsewhere. Errors are logged;
 * `why` gets a sentence about an error of the key file and is left as it is otherwise.
 */
doca_error_t service_location_find(const char *file, const char *pci_address,
        uint32_t max_message_size, struct service_location **location, char why[SERVICE_WHY_MAX]);

/* Takes the next address of the host, if there is one. While the service context starts. */
bool service_location_next(struct service_location *location);

/* Counts a reference, or takes one back (harmless with NULL). */
struct service_location *service_location_retain(struct service_location *location);
void service_location_release(struct service_location *location);

/* Whether one session serves both. */
bool service_location_equal(
        const struct service_location *left, const struct service_location *right);

#endif /* JUROM_SERVICE_LOCATION_H_ */
