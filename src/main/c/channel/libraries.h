/* SPDX-License-Identifier: Apache-2.0 */
/* Loads the libraries for TLS and UCX on first use. They are never unloaded. */
#ifndef JUROM_CHANNEL_LIBRARIES_H_
#define JUROM_CHANNEL_LIBRARIES_H_

#include <stddef.h>

#include "tls.h"
#include "ucx.h"

/*
 * Thread-safe. If the library cannot be loaded, returns NULL and writes a sentence to `reason`,
 * which may be NULL for TLS only.
 */
const struct tls_library *tls_library_load(char *reason, size_t capacity);
const struct ucx_library *ucx_library_load(char *reason, size_t capacity);

#endif /* JUROM_CHANNEL_LIBRARIES_H_ */
