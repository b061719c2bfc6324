/* SPDX-License-Identifier: Apache-2.0 */
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <common/sdk_log.h>

#include "service_location.h"

SDK_LOG_REGISTER(UROM::SERVICE_LOCATION)

struct service_location *service_location_retain(struct service_location *location)
{
    atomic_fetch_add(&location->references, 1);
    return location;
}

void service_location_release(struct service_location *location)
{
    if (location == NULL || atomic_fetch_sub(&location->references, 1) > 1)
        return;

    channel_identity_free(location->identity);
    if (location->addresses != NULL)
        freeaddrinfo(location->addresses);
    free(location);
}

bool service_location_next(struct service_location *location)
{
    const struct addrinfo *next = location->others;

    if (next == NULL)
        return false;
    memset(&location->address.socket, 0, sizeof(location->address.socket));
    memcpy(&location->address.socket, next->ai_addr, next->ai_addrlen);
    location->address.socket_length = next->ai_addrlen;
    location->others = next->ai_next;
    return true;
}

static doca_error_t resolve(const struct service_entry *entry, struct service_location *location,
        char reason[SERVICE_REASON_MAX])
{
    static const struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
    int error = getaddrinfo(entry->host, entry->port, &hints, &location->addresses);

    snprintf(location->name, sizeof(location->name), "%s:%s", entry->host, entry->port);
    if (error != 0) {
        snprintf(reason, SERVICE_REASON_MAX, "The UROM service's host %s cannot be resolved: %s.",
                entry->host, gai_strerror(error));
        SDK_LOG_ERR("%s", reason);
        return DOCA_ERROR_CONNECTION_ABORTED;
    }
    location->others = location->addresses;
    return service_location_next(location) ? DOCA_SUCCESS : DOCA_ERROR_CONNECTION_ABORTED;
}

static bool device_exists(const char *name)
{
    char path[sizeof("/sys/class/net/") + IFNAMSIZ];

    if (name[0] == '\0' || name[0] == '.' || strchr(name, '/') != NULL)
        return false;
    snprintf(path, sizeof(path), "/sys/class/net/%s", name);
    return access(path, F_OK) == 0;
}

/* Binds to the first of the comma-separated `names` that this machine has. */
static void select_device(const char *names, struct service_location *location)
{
    const char *name = names;

    while (*name != '\0') {
        size_t length = strcspn(name, ",");
        char device[IFNAMSIZ] = "";

        if (length < sizeof(device))
            memcpy(device, name, length);
        if (device_exists(device)) {
            memcpy(location->address.device, device, sizeof(device));
            return;
        }
        name += length + (name[length] == ',');
    }
    if (names[0] != '\0')
        SDK_LOG_WARN("This machine has none of the network devices %s in the service file: the "
                     "routing table selects one",
                names);
}

/* A missing or malformed key file is BAD_CONFIG: NOT_FOUND and INVALID_VALUE are about the service. */
static doca_error_t read_key(struct service_location *location, char reason[SERVICE_REASON_MAX])
{
    const char *path = secure_getenv("DOCA_UROM_KEY_FILE");
    doca_error_t status;

    if (path == NULL || path[0] == '\0') {
        snprintf(reason, SERVICE_REASON_MAX,
                "DOCA_UROM_KEY_FILE is not set, but the UROM service at %s listens on TCP and requires "
                "a key: set it to a file that `urom key create` made, with the service's "
                "certificate appended.",
                location->name);
        SDK_LOG_ERR("%s", reason);
        return DOCA_ERROR_AUTHENTICATION;
    }
    status = channel_identity_read(path, &location->identity, reason, SERVICE_REASON_MAX);
    if (status == DOCA_SUCCESS)
        snprintf(location->key_file, sizeof(location->key_file), "%s", path);
    else
        SDK_LOG_ERR("%s (The file is set by DOCA_UROM_KEY_FILE.)", reason);
    return status == DOCA_ERROR_NOT_FOUND || status == DOCA_ERROR_INVALID_VALUE
                    || status == DOCA_ERROR_NOT_SUPPORTED
            ? DOCA_ERROR_BAD_CONFIG
            : status;
}

static doca_error_t set_address(const struct service_entry *entry,
        struct service_location *location, char reason[SERVICE_REASON_MAX])
{
    doca_error_t status;

    location->address.local = entry->socket_path[0] != '\0';
    if (location->address.local) {
        snprintf(location->name, sizeof(location->name), "unix:%s", entry->socket_path);
        memcpy(location->address.path, entry->socket_path, sizeof(entry->socket_path));
        return DOCA_SUCCESS;
    }
    status = resolve(entry, location, reason);
    if (status == DOCA_SUCCESS)
        status = read_key(location, reason);
    if (status == DOCA_SUCCESS)
        select_device(entry->net_devices, location);
    memcpy(location->devices, entry->net_devices, sizeof(location->devices));
    return status;
}

doca_error_t service_location_create(const struct service_entry *entry, uint32_t max_message_size,
        struct service_location **location, char reason[SERVICE_REASON_MAX])
{
    struct service_location *made = calloc(1, sizeof(*made));
    doca_error_t status;

    if (made == NULL)
        return DOCA_ERROR_NO_MEMORY;

    atomic_init(&made->references, 1);
    made->max_message_size = max_message_size;
    status = set_address(entry, made, reason);
    if (status == DOCA_SUCCESS)
        *location = made;
    else
        service_location_release(made);
    return status;
}

bool service_location_equal(
        const struct service_location *left, const struct service_location *right)
{
    return left->max_message_size == right->max_message_size
            && memcmp(&left->address, &right->address, sizeof(left->address)) == 0
            && strcmp(left->devices, right->devices) == 0
            && strcmp(left->key_file, right->key_file) == 0;
}
