/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The process's UCP contexts: one for data and one for control, made by the first worker that needs
 * them and kept until the last has gone. Shared by threads, under a lock.
 */
#include <dirent.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <common/sdk_log.h>

#include "net.h"

SDK_LOG_REGISTER(UROM::NET)

/*
 * UCX's settings for data where there is no InfiniBand, unless the environment has its own. A tcp
 * lane beside shared memory costs latency, and large messages travel faster through the segments of
 * shared memory than by rendezvous through the kernel.
 */
static const struct setting {
    const char *variable;
    const char *name;
    const char *value;
} settings_without_infiniband[] = {
    { "UCX_TLS", "TLS", "tcp,posix,cma,self" },
    { "UCX_RNDV_THRESH", "RNDV_THRESH", "inf" },
};

#define SETTINGS (sizeof(settings_without_infiniband) / sizeof(settings_without_infiniband[0]))

static struct {
    pthread_mutex_t lock;
    ucp_context_h context[NET_KINDS];
    size_t users[NET_KINDS];
} process = { .lock = PTHREAD_MUTEX_INITIALIZER };

static bool has_infiniband(void)
{
    DIR *directory = opendir("/sys/class/infiniband");
    bool found = false;
    struct dirent *entry;

    if (directory == NULL)
        return false;
    while (!found && (entry = readdir(directory)) != NULL)
        found = entry->d_name[0] != '.';
    closedir(directory);
    return found;
}

/* Each kind runs many workers in many threads, so that its context must be shareable. */
static const ucp_params_t context_params = {
    .field_mask = UCP_PARAM_FIELD_FEATURES | UCP_PARAM_FIELD_MT_WORKERS_SHARED,
    .features = UCP_FEATURE_AM | UCP_FEATURE_WAKEUP,
    .mt_workers_shared = 1,
};

static ucs_status_t configure(ucp_config_t *config, enum net_kind kind, const char *net_devices)
{
    bool infiniband = has_infiniband();
    ucs_status_t status = UCS_OK;

    if (kind == NET_CONTROL)
        return ucp_config_modify(config, "TLS", "tcp");
    for (size_t i = 0; i < SETTINGS && !infiniband && status == UCS_OK; ++i) {
        const struct setting *setting = &settings_without_infiniband[i];

        if (getenv(setting->variable) == NULL)
            status = ucp_config_modify(config, setting->name, setting->value);
    }
    if (status == UCS_OK && net_devices != NULL && getenv("UCX_NET_DEVICES") == NULL)
        status = ucp_config_modify(config, "NET_DEVICES", net_devices);
    return status;
}

static ucs_status_t create(enum net_kind kind, const char *net_devices, ucp_context_h *context)
{
    ucp_config_t *config;
    ucs_status_t status;

    status = ucp_config_read(NULL, NULL, &config);
    if (status != UCS_OK)
        return status;

    status = configure(config, kind, net_devices);
    if (status == UCS_OK)
        status = ucp_init(&context_params, config, context);
    ucp_config_release(config);
    return status;
}

doca_error_t net_context_acquire(enum net_kind kind, const char *net_devices,
        ucp_context_h *context)
{
    ucs_status_t status = UCS_OK;

    pthread_mutex_lock(&process.lock);
    if (process.users[kind] == 0)
        status = create(kind, net_devices, &process.context[kind]);
    if (status == UCS_OK) {
        ++process.users[kind];
        *context = process.context[kind];
    } else {
        SDK_LOG_ERR("UCX could not be initialised for %s: %s. Look at UCX_TLS and UCX_NET_DEVICES.",
                kind == NET_DATA ? "data" : "control", ucs_status_string(status));
    }
    pthread_mutex_unlock(&process.lock);
    return net_status(status);
}

void net_context_release(enum net_kind kind)
{
    pthread_mutex_lock(&process.lock);
    if (--process.users[kind] == 0)
        ucp_cleanup(process.context[kind]);
    pthread_mutex_unlock(&process.lock);
}
