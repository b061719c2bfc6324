/* SPDX-License-Identifier: Apache-2.0 */
/* Loads the libraries for TLS and UCX on first use. They are never unloaded. */
#ifndef JUROM_CHANNEL_LIBRARIES_H_
#define JUROM_CHANNEL_LIBRARIES_H_

#include <stddef.h>

#include "tls.h"
#include "ucx.h"

/*
 * Returns the TLS library. If it cannot be loaded, returns NULL and writes a sentence to `reason`,
 * which may be NULL. Thread-safe.
 */
const struct tls_library *tls_library_load(char *reason, size_t capacity);

/*
 * Returns the UCX library. If it cannot be loaded, or was loaded before this process was forked,
 * returns NULL and writes a sentence to `reason`, which must not be NULL. Thread-safe.
 */
const struct ucx_library *ucx_library_load(char *reason, size_t capacity);

#endif /* JUROM_CHANNEL_LIBRARIES_H_ */
