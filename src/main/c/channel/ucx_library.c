/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads libjurom_channel_ucx.so, and so UCX, once in a process; it stays.
 *
 * While UCX is loaded it reads ucx.conf from the working directory, which can name code to load
 * (UCX_MODULE_DIR), and no setting keeps it from that. So it is loaded in a thread whose working
 * directory is the root. It also installs handlers for signals unless its variables say otherwise,
 * and writes jumps into the C library's mmap and munmap.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <common/sdk_log.h>

#include "ucx_library.h"

SDK_LOG_REGISTER(CHANNEL::UCX)

#define LIBRARY "libjurom_channel_ucx.so"
#define UCX_BASE "libucs.so.0" /* which is there when anything of UCX is */

struct loading {
    const struct ucx_library *library;
    char *why;
    size_t capacity;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const struct ucx_library *loaded;
static pid_t loaded_by;

static void log_line(const char *line)
{
    SDK_LOG_DBG("%s", line);
}

/* Of this thread alone. False: it may not have a directory of its own. */
static bool leave_directory(void)
{
    return unshare(CLONE_FS) == 0 && chdir("/") == 0;
}

/* As dlopen, whose stand-in in AddressSanitizer does not look where this object's run path says. */
static void *load(void *argument)
{
    struct loading *loading = argument;
    void *handle = NULL;

    if (!leave_directory() && access("ucx.conf", F_OK) == 0) {
        snprintf(loading->why, loading->capacity, "UCX is not loaded, for it would read ucx.conf "
                "in the working directory, which can name code to load: start the program in "
                "another directory, or move the file to the directory that UCX_CONFIG_DIR names.");
        return NULL;
    }
    handle = dlmopen(LM_ID_BASE, LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (handle != NULL)
        loading->library = dlsym(handle, "jurom_channel_ucx");
    if (loading->library == NULL)
        snprintf(loading->why, loading->capacity, "Connections by UCX (JUROM_DATA=ucx) need "
                LIBRARY ", which cannot be loaded: %s.", dlerror());
    return NULL;
}

/* An application that has brought UCX itself has set it up, too. */
static bool ucx_is_there(void)
{
    void *handle = dlopen(UCX_BASE, RTLD_LAZY | RTLD_NOLOAD);

    if (handle != NULL)
        dlclose(handle);
    return handle != NULL;
}

static void set_up_environment(void)
{
    setenv("UCX_ERROR_SIGNALS", "", 1);
    setenv("UCX_DEBUG_SIGNO", "0", 1);
    setenv("UCX_MEM_EVENTS", "n", 0);
}

static const struct ucx_library *load_in_thread(char *why, size_t capacity)
{
    struct loading loading = {.why = why, .capacity = capacity};
    bool others = ucx_is_there();
    pthread_t thread;

    if (!others)
        set_up_environment();
    if (pthread_create(&thread, NULL, load, &loading) != 0) {
        snprintf(why, capacity, "UCX cannot be loaded: there is no thread for it.");
        return NULL;
    }
    pthread_join(thread, NULL);
    if (loading.library != NULL && !others)
        loading.library->log_to(log_line);
    return loading.library;
}

const struct ucx_library *ucx_library_load(char *why, size_t capacity)
{
    const struct ucx_library *library;

    pthread_mutex_lock(&lock);
    if (loaded == NULL)
        loaded = load_in_thread(why, capacity);
    library = loaded;
    if (library == NULL) {
        /* It has been said why. */
    } else if (loaded_by == 0) {
        loaded_by = getpid();
    } else if (loaded_by != getpid()) {
        snprintf(why, capacity, "UCX cannot be used in a process that was forked from one that "
                "has used it.");
        library = NULL;
    }
    pthread_mutex_unlock(&lock);
    return library;
}
