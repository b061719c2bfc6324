/* SPDX-License-Identifier: Apache-2.0 */
/* A plugin's UCX context and worker. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <time.h>

#include <doca_log.h>
#include <doca_urom_plugin.h>
#include <ucx/segments.h>
#include <ucx/sockets.h>

#include "transport_settings.h"
#include "transport.h"

DOCA_LOG_REGISTER(UROM::TRANSPORT)

#define CLOSE_SECONDS 0.2
#define SHM_FOLDER "/dev/shm"
#define SHM_FREE_MIN (64u << 20) /* what four processes need with UCX 1.23 */
#define LINKS_MAX 8192           /* each uses about 1 KiB and 2 of a process's 65,530 mappings */
#define LINK_DESCRIPTORS 8       /* per link over tcp: at least two for each network interface */

static char refusal[256]; /* why transport_open failed */

static ucs_status_t open_context(struct transport *transport, uint64_t features)
{
    ucp_params_t params = {
        .field_mask = UCP_PARAM_FIELD_FEATURES,
        .features = features | UCP_FEATURE_WAKEUP,
    };
    ucp_config_t *config;
    ucs_status_t status = ucp_config_read(NULL, NULL, &config);

    if (status != UCS_OK)
        return status;
    status = transport_set_up(config);
    if (status == UCS_OK)
        status = ucp_init(&params, config, &transport->context);
    ucp_config_release(config);
    return status;
}

static ucs_status_t open_worker(struct transport *transport)
{
    static const ucp_worker_params_t params = {
        .field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE,
        .thread_mode = UCS_THREAD_MODE_SINGLE,
    };
    ucs_status_t status;
    struct ucx_sockets before;

    ucx_sockets_note(&before);
    status = ucp_worker_create(transport->context, &params, &transport->worker);
    if (status != UCS_OK)
        return status;
    if (!ucx_sockets_protect(&before))
        DOCA_LOG_WARN(
                "The kernel takes no filter for UCX's abstract sockets: every process of this "
                "network namespace can end the worker");
    status = ucp_worker_get_efd(transport->worker, &transport->event_fd);
    if (status == UCS_OK)
        status = ucp_worker_get_address(
                transport->worker, &transport->address, &transport->address_length);
    if (status != UCS_OK)
        ucp_worker_destroy(transport->worker);
    return status;
}

static void limit_links(struct transport *transport)
{
    struct rlimit files;

    transport->links_max = LINKS_MAX;
    transport->closes_links = !transport_uses_tcp();
    if (!transport->closes_links && getrlimit(RLIMIT_NOFILE, &files) == 0
            && files.rlim_cur / LINK_DESCRIPTORS < LINKS_MAX)
        transport->links_max = (unsigned)(files.rlim_cur / LINK_DESCRIPTORS);
}

/* Without space in the folder of shared memory, which any user may fill, UCX cannot be set up. */
static void explain(ucs_status_t status)
{
    struct statvfs shm;
    size_t length = (size_t)snprintf(
            refusal, sizeof(refusal), "UCX could not be set up: %s", ucs_status_string(status));

    if (length >= sizeof(refusal))
        return;
    if (statvfs(SHM_FOLDER, &shm) == 0 && shm.f_bavail < SHM_FREE_MIN / shm.f_frsize)
        snprintf(refusal + length, sizeof(refusal) - length,
                ". Its shared memory is in " SHM_FOLDER ", which has %" PRIu64 " of %" PRIu64
                " MiB free: remove files from it",
                (uint64_t)shm.f_bavail * shm.f_frsize >> 20,
                (uint64_t)shm.f_blocks * shm.f_frsize >> 20);
    else
        snprintf(refusal + length, sizeof(refusal) - length,
                ". Check UCX_TLS, UCX_NET_DEVICES and " SHM_FOLDER);
    DOCA_LOG_ERR("%s", refusal);
}

DOCA_EXPERIMENTAL const char *urom_plugin_get_refusal(struct urom_worker_ctx *ctx);
const char *urom_plugin_get_refusal(struct urom_worker_ctx *ctx)
{
    (void)ctx;
    return refusal;
}

doca_error_t transport_open(struct transport *transport, uint64_t features)
{
    ucs_status_t status;

    segments_sweep();
    status = open_context(transport, features);
    ucs_list_head_init(&transport->links);
    limit_links(transport);
    if (status == UCS_OK) {
        status = open_worker(transport);
        if (status != UCS_OK)
            ucp_cleanup(transport->context);
    }
    if (status != UCS_OK)
        explain(status);
    return transport_status(status);
}

static double seconds_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Progresses for at most CLOSE_SECONDS. Returns whether all operations have been flushed. */
static bool drain(struct transport *transport)
{
    static const ucp_request_param_t none;
    double deadline = seconds_now() + CLOSE_SECONDS;
    void *flush = ucp_worker_flush_nbx(transport->worker, &none);
    ucs_status_t status;

    if (!UCS_PTR_IS_PTR(flush))
        return true;
    while ((status = ucp_request_check_status(flush)) == UCS_INPROGRESS && seconds_now() < deadline)
        ucp_worker_progress(transport->worker);
    ucp_request_free(flush);
    return status != UCS_INPROGRESS;
}

void transport_close(struct transport *transport)
{
    bool drained = drain(transport);

    while (!ucs_list_is_empty(&transport->links))
        free(ucs_list_extract_head(&transport->links, struct link, entry));
    if (!drained) {
        /* UCX ends the process if a worker with unsent messages is destroyed. */
        DOCA_LOG_WARN("A peer does not receive the messages to it: the plugin's UCX is not closed");
        return;
    }
    ucp_worker_release_address(transport->worker, transport->address);
    ucp_worker_destroy(transport->worker);
    ucp_cleanup(transport->context);
    segments_sweep(); /* including files that this worker was the last to use */
}

doca_error_t transport_give_address(
        const struct transport *transport, void *address, size_t *length)
{
    size_t room = *length;

    *length = transport->address_length;
    if (address == NULL || room < transport->address_length)
        return DOCA_ERROR_INVALID_VALUE;
    memcpy(address, transport->address, transport->address_length);
    return DOCA_SUCCESS;
}

doca_error_t transport_arm(struct transport *transport, int *fd)
{
    if (ucp_worker_arm(transport->worker) != UCS_OK)
        return DOCA_ERROR_AGAIN;
    *fd = transport->event_fd;
    return DOCA_SUCCESS;
}
