/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Marks functions that libdoca_common exports to the other software libraries only: they are named
 * priv_doca_* and have a private symbol version.
 */
#ifndef JUROM_PRIVATE_H_
#define JUROM_PRIVATE_H_

#include <stddef.h>

#define DOCA_PRIVATE __attribute__((visibility("default")))

/* Returns the struct of type `type` whose member `member` is at `pointer`. */
#define CONTAINER_OF(pointer, type, member) ((type *)((char *)(pointer)-offsetof(type, member)))

#endif /* JUROM_PRIVATE_H_ */
