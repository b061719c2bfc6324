/* SPDX-License-Identifier: Apache-2.0 */
/* The library of UCX, which is loaded when service and host both want it. */
#ifndef JUROM_CHANNEL_UCX_LIBRARY_H_
#define JUROM_CHANNEL_UCX_LIBRARY_H_

#include <stddef.h>

#include "ucx.h"

/* From any thread. NULL: it cannot be loaded, and `why` says so in a sentence. */
const struct ucx_library *ucx_library_load(char *why, size_t capacity);

#endif /* JUROM_CHANNEL_UCX_LIBRARY_H_ */
