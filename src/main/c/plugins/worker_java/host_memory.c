/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The native methods of HostedPlugin for memory that hosts have exported. They use the public
 * functions of DOCA Core and DMA, which a worker on a DPU has, too. DMA is loaded with the first
 * memory, because most plugins do not need it.
 */
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_dma.h>
#include <doca_mmap.h>
#include <doca_pe.h>

#include "java.h"

#define BUFFERS 2 /* of a copy */

/* The functions of DMA; the same for all plugins of a process. */
static struct {
    __typeof__(doca_dma_create) *create;
    __typeof__(doca_dma_destroy) *destroy;
    __typeof__(doca_dma_as_ctx) *as_ctx;
    __typeof__(doca_dma_cap_task_memcpy_is_supported) *is_supported;
    __typeof__(doca_dma_cap_task_memcpy_get_max_buf_size) *get_max_size;
    __typeof__(doca_dma_task_memcpy_set_conf) *set_conf;
    __typeof__(doca_dma_task_memcpy_alloc_init) *alloc;
    __typeof__(doca_dma_task_memcpy_as_task) *as_task;
} dma;

static bool find_function(void *library, const char *name, void *function)
{
    void *found = dlsym(library, name);

    memcpy(function, &found, sizeof(found));
    return found != NULL;
}

/* Loads DMA from the folder of DOCA Core, in the same version. */
static doca_error_t load_dma(void)
{
    static const char core_name[] = "libdoca_common";
    char path[PATH_MAX];
    Dl_info core;
    const char *name;
    void *library;
    bool found;

    if (dladdr(dlsym(RTLD_DEFAULT, "doca_mmap_create"), &core) == 0)
        return DOCA_ERROR_NOT_SUPPORTED;
    name = strrchr(core.dli_fname, '/');
    name = name == NULL ? core.dli_fname : name + 1;
    if (strncmp(name, core_name, strlen(core_name)) != 0)
        return DOCA_ERROR_NOT_SUPPORTED;
    snprintf(path, sizeof(path), "%.*slibdoca_dma%s", (int)(name - core.dli_fname), core.dli_fname,
            name + strlen(core_name));
    library = dlopen(path, RTLD_NOW);
    if (library == NULL)
        return DOCA_ERROR_NOT_SUPPORTED;
    found = find_function(library, "doca_dma_create", &dma.create);
    found &= find_function(library, "doca_dma_destroy", &dma.destroy);
    found &= find_function(library, "doca_dma_as_ctx", &dma.as_ctx);
    found &= find_function(library, "doca_dma_cap_task_memcpy_is_supported", &dma.is_supported);
    found &= find_function(library, "doca_dma_cap_task_memcpy_get_max_buf_size", &dma.get_max_size);
    found &= find_function(library, "doca_dma_task_memcpy_set_conf", &dma.set_conf);
    found &= find_function(library, "doca_dma_task_memcpy_alloc_init", &dma.alloc);
    found &= find_function(library, "doca_dma_task_memcpy_as_task", &dma.as_task);
    return found ? DOCA_SUCCESS : DOCA_ERROR_NOT_SUPPORTED;
}

static bool can_copy(const struct doca_devinfo *info)
{
    uint64_t size = 0;
    uint8_t imports = 0;

    return dma.is_supported(info) == DOCA_SUCCESS && dma.get_max_size(info, &size) == DOCA_SUCCESS
            && size >= WINDOW_SIZE
            && doca_mmap_cap_is_create_from_export_pci_supported(info, &imports) == DOCA_SUCCESS
            && imports != 0;
}

/* Opens the first device that can copy imported memory. */
static doca_error_t open_device(struct doca_dev **dev)
{
    doca_error_t status = DOCA_ERROR_NOT_SUPPORTED;
    struct doca_devinfo **list;
    uint32_t count;

    if (doca_devinfo_create_list(&list, &count) != DOCA_SUCCESS)
        return DOCA_ERROR_NOT_SUPPORTED;
    for (uint32_t i = 0; i < count && status != DOCA_SUCCESS; ++i)
        if (can_copy(list[i]))
            status = doca_dev_open(list[i], dev);
    doca_devinfo_destroy_list(list);
    return status;
}

static doca_error_t open_window(struct copier *copier)
{
    doca_error_t status;

    copier->window = aligned_alloc(sysconf(_SC_PAGESIZE), WINDOW_SIZE);
    if (copier->window == NULL)
        return DOCA_ERROR_NO_MEMORY;
    status = doca_mmap_create(&copier->window_map);
    if (status == DOCA_SUCCESS)
        status = doca_mmap_set_memrange(copier->window_map, copier->window, WINDOW_SIZE);
    if (status == DOCA_SUCCESS)
        status = doca_mmap_set_permissions(copier->window_map, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
    if (status == DOCA_SUCCESS)
        status = doca_mmap_add_dev(copier->window_map, copier->dev);
    if (status == DOCA_SUCCESS)
        status = doca_mmap_start(copier->window_map);
    if (status == DOCA_SUCCESS)
        status = doca_buf_inventory_create(BUFFERS, &copier->inventory);
    return status == DOCA_SUCCESS ? doca_buf_inventory_start(copier->inventory) : status;
}

/* Called when a copy has ended, with the flag that the copy waits for. */
static void copied(
        struct doca_dma_task_memcpy *task, union doca_data task_data, union doca_data ctx_data)
{
    (void)task;
    (void)ctx_data;
    *(bool *)task_data.ptr = true;
}

static doca_error_t open_dma(struct copier *copier)
{
    doca_error_t status = doca_pe_create(&copier->pe);

    if (status == DOCA_SUCCESS)
        status = dma.create(copier->dev, &copier->dma);
    if (status == DOCA_SUCCESS)
        status = dma.set_conf(copier->dma, copied, copied, 1);
    if (status == DOCA_SUCCESS)
        status = doca_pe_connect_ctx(copier->pe, dma.as_ctx(copier->dma));
    return status == DOCA_SUCCESS ? doca_ctx_start(dma.as_ctx(copier->dma)) : status;
}

/* Releases what an attempt to open has created. */
static void undo(struct copier *copier)
{
    if (copier->dma != NULL)
        dma.destroy(copier->dma);
    if (copier->pe != NULL)
        doca_pe_destroy(copier->pe);
    if (copier->inventory != NULL)
        doca_buf_inventory_destroy(copier->inventory);
    if (copier->window_map != NULL)
        doca_mmap_destroy(copier->window_map);
    if (copier->dev != NULL)
        doca_dev_close(copier->dev);
    free(copier->window);
    *copier = (struct copier){ .dev = NULL };
}

static doca_error_t open_copier(struct copier *copier)
{
    doca_error_t status;

    if (copier->dev != NULL)
        return DOCA_SUCCESS;
    status = load_dma();
    if (status == DOCA_SUCCESS)
        status = open_device(&copier->dev);
    if (status == DOCA_SUCCESS)
        status = open_window(copier);
    if (status == DOCA_SUCCESS)
        status = open_dma(copier);
    if (status != DOCA_SUCCESS)
        undo(copier);
    return status;
}

static jlong JNICALL open_memory(JNIEnv *env, jclass type, jlong plugin, jbyteArray export)
{
    struct copier *copier = &((struct java *)plugin)->copier;
    doca_error_t status = open_copier(copier);
    struct doca_mmap *memory = NULL;
    jbyte *bytes = NULL;

    (void)type;
    if (status == DOCA_SUCCESS) {
        bytes = (*env)->GetByteArrayElements(env, export, NULL);
        status = bytes == NULL
                ? DOCA_ERROR_NO_MEMORY
                : doca_mmap_create_from_export(NULL, bytes,
                        (size_t)(*env)->GetArrayLength(env, export), copier->dev, &memory);
    }
    if (bytes != NULL)
        (*env)->ReleaseByteArrayElements(env, export, bytes, JNI_ABORT);
    return status == DOCA_SUCCESS ? (jlong)memory : ~(jlong)status;
}

/* Returns the range of imported memory, in the process of the host. */
static uint8_t *range_of(jlong memory, size_t *length)
{
    void *address = NULL;

    *length = 0;
    doca_mmap_get_memrange((struct doca_mmap *)memory, &address, length);
    return address;
}

static jlong JNICALL memory_size(JNIEnv *env, jclass type, jlong memory)
{
    size_t length;

    (void)env;
    (void)type;
    range_of(memory, &length);
    return (jlong)length;
}

/* Copies between two buffers; the device ends every copy, with an error if it must. */
static doca_error_t run_copy(
        struct copier *copier, const struct doca_buf *source, struct doca_buf *destination)
{
    bool ended = false;
    union doca_data data = { .ptr = &ended };
    struct doca_dma_task_memcpy *copy;
    struct doca_task *task;
    doca_error_t status = dma.alloc(copier->dma, source, destination, data, &copy);

    if (status != DOCA_SUCCESS)
        return status;
    task = dma.as_task(copy);
    status = doca_task_submit(task);
    if (status == DOCA_SUCCESS) {
        while (!ended)
            doca_pe_progress(copier->pe);
        status = doca_task_get_status(task);
    }
    doca_task_free(task);
    return status;
}

static jint JNICALL copy_memory(JNIEnv *env, jclass type, jlong plugin, jlong memory, jlong offset,
        jlong length, jboolean to_host)
{
    struct copier *copier = &((struct java *)plugin)->copier;
    struct doca_mmap *host_map = (struct doca_mmap *)memory;
    struct doca_buf *window = NULL;
    struct doca_buf *host = NULL;
    size_t size;
    uint8_t *address = range_of(memory, &size) + offset;
    doca_error_t status;

    (void)env;
    (void)type;
    status = doca_buf_inventory_buf_get_by_args(copier->inventory, copier->window_map,
            copier->window, (size_t)length, copier->window, to_host ? (size_t)length : 0, &window);
    if (status == DOCA_SUCCESS)
        status = doca_buf_inventory_buf_get_by_args(copier->inventory, host_map, address,
                (size_t)length, address, to_host ? 0 : (size_t)length, &host);
    if (status == DOCA_SUCCESS)
        status = run_copy(copier, to_host ? window : host, to_host ? host : window);
    if (host != NULL)
        doca_buf_dec_refcount(host, NULL);
    if (window != NULL)
        doca_buf_dec_refcount(window, NULL);
    return (jint)status;
}

static jlong JNICALL memory_window(JNIEnv *env, jclass type, jlong plugin)
{
    (void)env;
    (void)type;
    return (jlong)((struct java *)plugin)->copier.window;
}

static void JNICALL close_memory(JNIEnv *env, jclass type, jlong memory)
{
    (void)env;
    (void)type;
    doca_mmap_destroy((struct doca_mmap *)memory);
}

bool host_memory_register(JNIEnv *env, jclass hosted_plugin)
{
    const JNINativeMethod methods[] = {
        { "openMemory", "(J[B)J", (void *)open_memory },
        { "memorySize", "(J)J", (void *)memory_size },
        { "copyMemory", "(JJJJZ)I", (void *)copy_memory },
        { "memoryWindow", "(J)J", (void *)memory_window },
        { "closeMemory", "(J)V", (void *)close_memory },
    };

    return (*env)->RegisterNatives(
                   env, hosted_plugin, methods, sizeof(methods) / sizeof(methods[0]))
            == 0;
}
