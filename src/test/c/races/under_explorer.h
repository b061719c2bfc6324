/* SPDX-License-Identifier: Apache-2.0 */
/* Included before code under test: its atomics and its copying are the explorer's. */
#ifndef JUROM_RACES_UNDER_EXPLORER_H_
#define JUROM_RACES_UNDER_EXPLORER_H_

#include <stdatomic.h>
#include <string.h>

#include "explorer.h"

#undef atomic_load_explicit
#undef atomic_store_explicit
#undef atomic_exchange_explicit
#define atomic_load_explicit(at, order) \
    ((__typeof__(+*(at)))explorer_load((const void *)(at), (order)))
#define atomic_store_explicit(at, value, order) \
    explorer_store((void *)(at), (value), (order))
#define atomic_exchange_explicit(at, value, order) \
    explorer_exchange((void *)(at), (value), (order))
#define memcpy(to, from, length) explorer_write((to), (from), (length))

#endif /* JUROM_RACES_UNDER_EXPLORER_H_ */
