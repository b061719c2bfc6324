/* SPDX-License-Identifier: Apache-2.0 */
/* Unusable plugins; FAULT_* selects the fault. */
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include <doca_urom_plugin.h>

#define VERSION 1

/* Implements the operations that have no fault. */
static doca_error_t fine(void)
{
    return DOCA_SUCCESS;
}

static doca_error_t faulty_open(struct urom_worker_ctx *ctx)
{
    (void)ctx;
#ifdef FAULT_OPEN_FAILS
    return DOCA_ERROR_DRIVER;
#else
    return fine();
#endif
}

static void faulty_close(struct urom_worker_ctx *ctx)
{
    (void)ctx;
    fprintf(stderr, "faulty closed\n");
}

static doca_error_t faulty_addr(struct urom_worker_ctx *ctx, void *addr, size_t *addr_len)
{
    (void)ctx;
    (void)addr;
    *addr_len = 16;
#ifdef FAULT_ADDRESS_GROWS
    *addr_len = addr == NULL ? 16 : 4096; /* without writing any of them */
#endif
#ifdef FAULT_ADDRESS_HUGE
    *addr_len = (size_t)1 << 30;
#endif
#ifdef FAULT_ADDRESS_FAILS
    return DOCA_ERROR_DRIVER;
#elif defined(FAULT_ADDRESS_UNASKED)
    return DOCA_SUCCESS;
#else
    return addr == NULL ? DOCA_ERROR_INVALID_VALUE : fine();
#endif
}

static doca_error_t faulty_list(struct urom_worker_ctx *ctx, ucs_list_link_t *list)
{
    (void)ctx;
    (void)list;
    return DOCA_ERROR_EMPTY;
}

static doca_error_t faulty_notif_pack(
        struct urom_worker_notify *notif, size_t *packed_notif_len, void *packed_notif)
{
    (void)notif;
    (void)packed_notif_len;
    (void)packed_notif;
    return DOCA_ERROR_UNEXPECTED;
}

#ifndef FAULT_NO_VERSION
DOCA_EXPERIMENTAL doca_error_t urom_plugin_get_version(uint64_t *version)
{
    *version = VERSION;
#ifdef FAULT_VERSION_IS_USER
    *version = geteuid();
#endif
#ifdef FAULT_VERSION_FAILS
    return DOCA_ERROR_DRIVER;
#else
    return fine();
#endif
}
#endif

#ifdef FAULT_NO_INTERFACE
#define urom_plugin_get_iface some_other_function
DOCA_EXPERIMENTAL doca_error_t some_other_function(struct urom_plugin_iface *iface);
#endif

DOCA_EXPERIMENTAL doca_error_t urom_plugin_get_iface(struct urom_plugin_iface *iface)
{
    DOCA_STRUCT_PTR_CTOR(iface);
    iface->open = faulty_open;
    iface->close = faulty_close;
    iface->addr = faulty_addr;
    iface->worker_cmd = faulty_list;
#ifndef FAULT_OPERATION_MISSING
    iface->progress = faulty_list;
#endif
    iface->notif_pack = faulty_notif_pack;
#ifdef FAULT_INTERFACE_FAILS
    return DOCA_ERROR_DRIVER;
#else
    return fine();
#endif
}
