/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The process's UCP contexts: one for data and one for control, made by the first worker that needs
 * them and kept until the last has gone. Shared by threads, under a lock.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <common/sdk_log.h>

#include "net.h"
#include "transports.h"

SDK_LOG_REGISTER(UROM::NET)

/*
 * An element of a shared-memory queue, in bytes. UCX's 128 are too short for a payload of 64 bytes
 * with its frame and UCX's own header. Both sides of a connection must have the same.
 */
#define QUEUE_ELEMENT "256"

/*
 * Receive buffers that a UCP worker makes at a time, in place of 512: a queue of 64 elements needs
 * one each, and a few more. It takes half the time then, and a third of the memory.
 */
#define RECEIVE_BUFFERS "80"

static struct {
    pthread_mutex_t lock;
    ucp_context_h context[NET_KINDS];
    size_t users[NET_KINDS];
} process = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* Each kind runs many workers in many threads, so that its context must be shareable. */
static const ucp_params_t context_params = {
    .field_mask = UCP_PARAM_FIELD_FEATURES | UCP_PARAM_FIELD_MT_WORKERS_SHARED,
    .features = UCP_FEATURE_AM | UCP_FEATURE_WAKEUP,
    .mt_workers_shared = 1,
};

/* UCX warns of settings for transports that it does not use. */
static bool uses_shared_memory(void)
{
    const char *transports = getenv("UCX_TLS");

    return transports == NULL || strstr(transports, "posix") != NULL
            || strstr(transports, "sysv") != NULL || strstr(transports, "sm") != NULL
            || strstr(transports, "shm") != NULL || strstr(transports, "all") != NULL;
}

static ucs_status_t configure_data(ucp_config_t *config, const char *net_devices)
{
    ucs_status_t status = transports_choose(config);

    if (status == UCS_OK && uses_shared_memory())
        status = transports_prefer(config, "UCX_POSIX_ERROR_HANDLING", "MM_ERROR_HANDLING", "y");
    if (status == UCS_OK && uses_shared_memory())
        status = transports_prefer(config, "UCX_POSIX_FIFO_ELEM_SIZE", "MM_FIFO_ELEM_SIZE",
                QUEUE_ELEMENT);
    if (status == UCS_OK && uses_shared_memory())
        status = transports_prefer(config, "UCX_POSIX_RX_BUFS_GROW", "MM_RX_BUFS_GROW",
                RECEIVE_BUFFERS);
    if (status == UCS_OK && net_devices != NULL)
        status = transports_prefer(config, "UCX_NET_DEVICES", "NET_DEVICES", net_devices);
    return status;
}

static ucs_status_t create(enum net_kind kind, const char *net_devices, ucp_context_h *context)
{
    ucp_config_t *config;
    ucs_status_t status;

    status = ucp_config_read(NULL, NULL, &config);
    if (status != UCS_OK)
        return status;

    status = kind == NET_CONTROL ? ucp_config_modify(config, "TLS", "tcp")
                                 : configure_data(config, net_devices);
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
