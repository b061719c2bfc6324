/* SPDX-License-Identifier: Apache-2.0 */
#include "input.h"

#include <stdlib.h>
#include <string.h>

uint64_t take_number(struct input *input, size_t size)
{
    uint64_t number = 0;

    take_bytes(input, &number, size);
    return number;
}

void take_bytes(struct input *input, void *bytes, size_t size)
{
    size_t taken = size < input->left ? size : input->left;

    memset(bytes, 0, size);
    if (taken > 0)
        memcpy(bytes, input->next, taken);
    input->next += taken;
    input->left -= taken;
}

uint64_t take_length(struct input *input)
{
    uint8_t kind = (uint8_t)take_number(input, 1);
    uint64_t small = take_number(input, 1);

    switch (kind % 8) {
    case 0:
        return UINT64_MAX - small;
    case 1:
        return small << 56;
    case 2:
        return (1ull << (small % 64)) - 1;
    case 3:
        return take_number(input, 8);
    default:
        return small;
    }
}

void require(bool condition)
{
    if (!condition)
        abort();
}
