/* SPDX-License-Identifier: Apache-2.0 */
#include "ucx_context.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ucx_settings.h"

struct ucx_context {
    struct ucx_context *next;
    ucp_context_h inside;
    unsigned users;
    char devices[]; /* the setting; empty: any */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards the list and its counts */
static struct ucx_context *contexts;

static ucs_status_t create(const char *devices, ucp_context_h *context)
{
    /* Links of several threads share a context. */
    static const ucp_params_t params = {
        .field_mask = UCP_PARAM_FIELD_FEATURES | UCP_PARAM_FIELD_MT_WORKERS_SHARED,
        .features = UCP_FEATURE_AM | UCP_FEATURE_WAKEUP,
        .mt_workers_shared = 1,
    };
    ucp_config_t *config;
    ucs_status_t status = ucp_config_read(NULL, NULL, &config);

    if (status != UCS_OK)
        return status;
    status = ucx_settings_choose(config, devices);
    if (status == UCS_OK)
        status = ucp_init(&params, config, context);
    ucp_config_release(config);
    return status;
}

static ucs_status_t make(const char *devices, struct ucx_context **context)
{
    struct ucx_context *made = malloc(sizeof(*made) + strlen(devices) + 1);
    ucs_status_t status;

    if (made == NULL)
        return UCS_ERR_NO_MEMORY;
    status = create(devices, &made->inside);
    if (status != UCS_OK) {
        free(made);
        return status;
    }
    strcpy(made->devices, devices);
    made->users = 1;
    made->next = contexts;
    contexts = made;
    *context = made;
    return UCS_OK;
}

ucs_status_t ucx_context_acquire(
        const char *devices, const char *interface, struct ucx_context **context)
{
    const char *wanted = ucx_settings_devices(devices, interface);
    ucs_status_t status = UCS_OK;
    struct ucx_context *at;

    pthread_mutex_lock(&lock);
    at = contexts;
    while (at != NULL && strcmp(at->devices, wanted) != 0)
        at = at->next;
    if (at != NULL) {
        ++at->users;
        *context = at;
    } else {
        status = make(wanted, context);
    }
    pthread_mutex_unlock(&lock);
    return status;
}

void ucx_context_release(struct ucx_context *context)
{
    struct ucx_context **link = &contexts;

    pthread_mutex_lock(&lock);
    if (--context->users == 0) {
        while (*link != context)
            link = &(*link)->next;
        *link = context->next;
        ucp_cleanup(context->inside);
        free(context);
    }
    pthread_mutex_unlock(&lock);
}

ucp_context_h ucx_context_inside(const struct ucx_context *context)
{
    return context->inside;
}
