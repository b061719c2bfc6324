/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads libjurom_channel_ucx.so, and so UCX, once in a process; it stays.
 *
 * While UCX is loaded it reads ucx.conf from the working directory, which can name code to load
 * (UCX_MODULE_DIR), and no setting keeps it from that. So it is loaded in a thread whose working
 * directory is the root. It also installs handlers for signals and writes jumps into the C library's
 * mmap and munmap, unless its variables say otherwise while it is loaded.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <common/sdk_log.h>

#include "channel.h"
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
static _Atomic(const struct ucx_library *) loaded; /* changed under the lock */
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
        snprintf(loading->why, loading->capacity,
                "UCX is not loaded, for it would read ucx.conf "
                "in the working directory, which can name code to load: start the program in "
                "another directory, or move the file to the directory that UCX_CONFIG_DIR names.");
        return NULL;
    }
    handle = dlmopen(LM_ID_BASE, LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (handle != NULL)
        loading->library = dlsym(handle, "jurom_channel_ucx");
    if (loading->library == NULL)
        snprintf(loading->why, loading->capacity,
                "Connections by UCX (JUROM_DATA=ucx) need " LIBRARY ", which cannot be loaded: %s.",
                dlerror());
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

/*
 * The environment with UCX's settings before it: of two variables that are alike the first counts.
 * Other threads may still read the array when UCX is loaded, so it is never freed.
 */
static char **make_environment(void)
{
    static char signals[] = "UCX_ERROR_SIGNALS=", debug[] = "UCX_DEBUG_SIGNO=0";
    static char events[] = "UCX_MEM_EVENTS=n";
    static char **made;
    size_t count = 0, own = 0;

    if (made != NULL)
        return made; /* of an attempt that has failed */
    while (environ[count] != NULL)
        count++;
    made = calloc(count + 4, sizeof(*made));
    if (made == NULL)
        return NULL;

    made[own++] = signals;
    made[own++] = debug;
    if (getenv("UCX_MEM_EVENTS") == NULL)
        made[own++] = events;
    memcpy(made + own, environ, count * sizeof(*made));
    return made;
}

/* Variables are not set, since other threads may be in getenv, and children would inherit them. */
static bool run_with_settings(struct loading *loading)
{
    pthread_t thread;
    char **before = environ, **with = make_environment();
    bool runs;

    if (with != NULL)
        __atomic_store_n(&environ, with, __ATOMIC_RELEASE);
    runs = with != NULL && pthread_create(&thread, NULL, load, loading) == 0;
    if (runs)
        pthread_join(thread, NULL);
    if (environ == with) /* else another thread has set a variable */
        __atomic_store_n(&environ, before, __ATOMIC_RELEASE);
    return runs;
}

static const struct ucx_library *load_in_thread(char *why, size_t capacity)
{
    struct loading loading = { .why = why, .capacity = capacity };
    bool others = ucx_is_there();

    if (!run_with_settings(&loading)) {
        snprintf(why, capacity, "UCX cannot be loaded: there is no thread for it.");
        return NULL;
    }
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
        snprintf(why, capacity,
                "UCX cannot be used in a process that was forked from one that "
                "has used it.");
        library = NULL;
    }
    pthread_mutex_unlock(&lock);
    return library;
}

unsigned channels_closing(void)
{
    const struct ucx_library *library = loaded;

    return library == NULL ? 0 : library->closing();
}

void channels_finish_closing(void)
{
    const struct ucx_library *library = loaded;

    if (library != NULL)
        library->finish();
}
