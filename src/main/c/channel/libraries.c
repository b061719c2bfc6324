/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads libjurom_channel_tls.so and libjurom_channel_ucx.so, once per process.
 *
 * On load, UCX reads ucx.conf from the working directory, and no setting disables that. The file
 * can name code to load (UCX_MODULE_DIR), so the loading thread changes to the root directory
 * first. UCX would also install signal handlers and patch mmap and munmap, unless environment
 * variables disable both.
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
#include "libraries.h"

SDK_LOG_REGISTER(CHANNEL::UCX)

#define TLS_LIBRARY "libjurom_channel_tls.so"
#define UCX_LIBRARY "libjurom_channel_ucx.so"
#define UCX_BASE "libucs.so.0" /* loaded with any library of UCX */

struct ucx_loading {
    const struct ucx_library *library;
    char *reason;
    size_t capacity;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const struct tls_library *tls;           /* guarded by the lock */
static _Atomic(const struct ucx_library *) ucx; /* written under the lock */
static pid_t ucx_process; /* the process that may use UCX; 0: not yet loaded */

/* Uses dlmopen because AddressSanitizer's dlopen ignores the run path of this object. */
static const void *load(const char *library, const char *symbol)
{
    void *handle = dlmopen(LM_ID_BASE, library, RTLD_NOW | RTLD_LOCAL);

    return handle == NULL ? NULL : dlsym(handle, symbol);
}

const struct tls_library *tls_library_load(char *reason, size_t capacity)
{
    const struct tls_library *library;

    pthread_mutex_lock(&lock);
    if (tls == NULL)
        tls = load(TLS_LIBRARY, "jurom_channel_tls");
    library = tls;
    if (library == NULL && reason != NULL)
        snprintf(reason, capacity,
                "Connections between machines need " TLS_LIBRARY ", which cannot be loaded: %s.",
                dlerror());
    pthread_mutex_unlock(&lock);
    return library;
}

static void log_line(const char *line)
{
    SDK_LOG_DBG("%s", line);
}

/* Changes the directory of the calling thread only. Returns false if that is not permitted. */
static bool leave_directory(void)
{
    return unshare(CLONE_FS) == 0 && chdir("/") == 0;
}

static void *load_ucx(void *argument)
{
    struct ucx_loading *loading = argument;

    if (!leave_directory() && access("ucx.conf", F_OK) == 0) {
        snprintf(loading->reason, loading->capacity,
                "UCX is not loaded because it would read ucx.conf in the working directory, which "
                "can name code to load. Start the program in another directory, or move the "
                "file to the directory that UCX_CONFIG_DIR names.");
        return NULL;
    }
    loading->library = load(UCX_LIBRARY, "jurom_channel_ucx");
    if (loading->library == NULL)
        snprintf(loading->reason, loading->capacity,
                "Connections by UCX (JUROM_DATA=ucx) need " UCX_LIBRARY
                ", which cannot be loaded: %s.",
                dlerror());
    return NULL;
}

/* Returns whether the application itself has loaded UCX, and therefore configured it. */
static bool application_uses_ucx(void)
{
    void *handle = dlopen(UCX_BASE, RTLD_LAZY | RTLD_NOLOAD);

    if (handle != NULL)
        dlclose(handle);
    return handle != NULL;
}

/*
 * Returns the environment preceded by settings of UCX: the first of two equal variables counts.
 * Other threads may read the array later, so it is never freed.
 */
static char **make_environment(void)
{
    static char signals[] = "UCX_ERROR_SIGNALS=", debug[] = "UCX_DEBUG_SIGNO=0";
    static char events[] = "UCX_MEM_EVENTS=n";
    static char **made;
    size_t count = 0, own = 0;

    if (made != NULL)
        return made; /* of an earlier attempt that failed */
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

/*
 * Replaces the environment instead of calling setenv, which would race with getenv in other threads
 * and would pass the variables on to children.
 */
static bool run_with_settings(struct ucx_loading *loading)
{
    pthread_t thread;
    char **before = environ, **with = make_environment();
    bool runs;

    if (with != NULL)
        __atomic_store_n(&environ, with, __ATOMIC_RELEASE);
    runs = with != NULL && pthread_create(&thread, NULL, load_ucx, loading) == 0;
    if (runs)
        pthread_join(thread, NULL);
    if (environ == with) /* otherwise, another thread has set a variable */
        __atomic_store_n(&environ, before, __ATOMIC_RELEASE);
    return runs;
}

static const struct ucx_library *load_ucx_in_thread(char *reason, size_t capacity)
{
    struct ucx_loading loading = { .reason = reason, .capacity = capacity };
    bool configured = application_uses_ucx();

    if (!run_with_settings(&loading)) {
        snprintf(reason, capacity, "UCX cannot be loaded: no thread could be created for it.");
        return NULL;
    }
    if (loading.library != NULL && !configured)
        loading.library->log_to(log_line);
    return loading.library;
}

const struct ucx_library *ucx_library_load(char *reason, size_t capacity)
{
    const struct ucx_library *library;

    pthread_mutex_lock(&lock);
    if (ucx == NULL)
        ucx = load_ucx_in_thread(reason, capacity);
    library = ucx;
    if (library != NULL && ucx_process == 0) {
        ucx_process = getpid();
    } else if (library != NULL && ucx_process != getpid()) {
        snprintf(reason, capacity,
                "UCX cannot be used in a forked child of a process that has used UCX.");
        library = NULL;
    }
    pthread_mutex_unlock(&lock);
    return library;
}

unsigned channels_closing(void)
{
    const struct ucx_library *library = ucx;

    return library == NULL ? 0 : library->closing();
}

void channels_finish_closing(void)
{
    const struct ucx_library *library = ucx;

    if (library != NULL)
        library->finish();
}
