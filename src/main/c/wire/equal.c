/* SPDX-License-Identifier: Apache-2.0 */
/* Comparing secrets: how long it takes must not say where they differ. */
#include "wire.h"

bool wire_equal(const uint8_t *a, const uint8_t *b, size_t length)
{
    volatile uint8_t difference = 0; /* volatile: the compiler may not stop at the first one */
    size_t i;

    for (i = 0; i < length; i++)
        difference |= a[i] ^ b[i];
    return difference == 0;
}
