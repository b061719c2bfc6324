/* SPDX-License-Identifier: Apache-2.0 */
/* Loads libjurom_channel_tls.so, once in a process; it stays. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

#include "tls_library.h"

#define LIBRARY "libjurom_channel_tls.so"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const struct tls_library *loaded;

/* As dlopen, whose stand-in in AddressSanitizer does not look where this object's run path says. */
static const struct tls_library *load(void)
{
    void *handle = dlmopen(LM_ID_BASE, LIBRARY, RTLD_NOW | RTLD_LOCAL);

    return handle == NULL ? NULL : dlsym(handle, "jurom_channel_tls");
}

const struct tls_library *tls_library_load(char *why, size_t capacity)
{
    const struct tls_library *library;

    pthread_mutex_lock(&lock);
    if (loaded == NULL)
        loaded = load();
    library = loaded;
    if (library == NULL && why != NULL)
        snprintf(why, capacity,
                "Connections between machines need " LIBRARY ", which cannot be loaded: %s.",
                dlerror());
    pthread_mutex_unlock(&lock);
    return library;
}
