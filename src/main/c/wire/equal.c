/* SPDX-License-Identifier: Apache-2.0 */
/* Constant-time comparison of secrets. */
#include "wire.h"

bool wire_equal(const uint8_t *a, const uint8_t *b, size_t length)
{
    volatile uint8_t difference = 0; /* volatile: prevents the compiler from stopping early */
    size_t i;

    for (i = 0; i < length; ++i)
        difference |= a[i] ^ b[i];
    return difference == 0;
}
