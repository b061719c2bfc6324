/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Marks what libdoca_common offers to the other software libraries and to nobody else: functions
 * named priv_doca_*, exported under a private symbol version.
 */
#ifndef JUROM_PRIVATE_H_
#define JUROM_PRIVATE_H_

#include <stddef.h>

#define DOCA_PRIVATE __attribute__((visibility("default")))

/* The struct of type `type` whose member `member` is at `pointer`. */
#define CONTAINER_OF(pointer, type, member) \
    ((type *)((char *)(pointer) - offsetof(type, member)))

#endif /* JUROM_PRIVATE_H_ */
