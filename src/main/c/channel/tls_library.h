/* SPDX-License-Identifier: Apache-2.0 */
/* The library of TLS, which is loaded when it is first needed. */
#ifndef JUROM_CHANNEL_TLS_LIBRARY_H_
#define JUROM_CHANNEL_TLS_LIBRARY_H_

#include <stddef.h>

#include "tls.h"

/* From any thread. NULL: it cannot be loaded, and `why`, unless NULL, says so in a sentence. */
const struct tls_library *tls_library_load(char *why, size_t capacity);

#endif /* JUROM_CHANNEL_TLS_LIBRARY_H_ */
