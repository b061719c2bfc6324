/* SPDX-License-Identifier: Apache-2.0 */
/* Included before code under test: redirects its atomics and memcpy to the explorer. */
#ifndef JUROM_RACES_UNDER_EXPLORER_H_
#define JUROM_RACES_UNDER_EXPLORER_H_

#include <stdatomic.h>
#include <string.h>

#include "explorer.h"

#undef atomic_load
#undef atomic_load_explicit
#undef atomic_store
#undef atomic_store_explicit
#undef atomic_exchange
#undef atomic_exchange_explicit
#undef atomic_compare_exchange_strong
#undef atomic_compare_exchange_weak
#undef atomic_fetch_add
#undef atomic_fetch_add_explicit
#undef atomic_fetch_sub

/* The type of an atomic: an integer or a pointer. */
#define VALUE_TYPE(at) __typeof__(((void)0, *(at)))

#define __atomic_load_n(at, order) \
    ((VALUE_TYPE(at))(uintptr_t)explorer_load((const void *)(at), (order)))
#define __atomic_store_n(at, value, order) explorer_store((void *)(at), (uintptr_t)(value), (order))
#define AS_FOUND(at, found) \
    __extension__({ \
        VALUE_TYPE(at) value_found = (VALUE_TYPE(at))(uintptr_t)(found); \
        value_found; \
    })
#define __atomic_exchange_n(at, value, order) \
    AS_FOUND((at), explorer_exchange((void *)(at), (uintptr_t)(value), (order)))
#define __atomic_fetch_and(at, value, order) \
    AS_FOUND((at), explorer_and((void *)(at), (value), (order)))
#define __atomic_compare_exchange_n(at, expected, value, weak, success, failure) \
    __extension__({ \
        uint64_t found = (uintptr_t) * (expected); \
        bool was = explorer_compare_exchange((void *)(at), &found, (uintptr_t)(value)); \
        *(expected) = (VALUE_TYPE(expected))(uintptr_t)found; \
        was; \
    })

#define atomic_load_explicit(at, order) __atomic_load_n((at), (order))
#define atomic_load(at) __atomic_load_n((at), memory_order_seq_cst)
#define atomic_store_explicit(at, value, order) __atomic_store_n((at), (value), (order))
#define atomic_store(at, value) __atomic_store_n((at), (value), memory_order_seq_cst)
#define atomic_exchange_explicit(at, value, order) __atomic_exchange_n((at), (value), (order))
#define atomic_exchange(at, value) __atomic_exchange_n((at), (value), memory_order_seq_cst)
#define atomic_compare_exchange_strong(at, expected, value) \
    __atomic_compare_exchange_n((at), (expected), (value), 0, 5, 5)
#define atomic_compare_exchange_weak(at, expected, value) \
    __atomic_compare_exchange_n((at), (expected), (value), 1, 5, 5)
#define atomic_fetch_add_explicit(at, value, order) \
    AS_FOUND((at), explorer_add((void *)(at), (uint64_t)(value), (order)))
#define atomic_fetch_add(at, value) atomic_fetch_add_explicit((at), (value), memory_order_seq_cst)
#define atomic_fetch_sub(at, value) \
    atomic_fetch_add_explicit((at), -(uint64_t)(value), memory_order_seq_cst)
#define memcpy(to, from, length) explorer_write((to), (from), (length))

#endif /* JUROM_RACES_UNDER_EXPLORER_H_ */
