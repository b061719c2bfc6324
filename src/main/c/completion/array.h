/* SPDX-License-Identifier: Apache-2.0 */
/* Private part of a completion array. */
#ifndef COMPLETION_ARRAY_H_
#define COMPLETION_ARRAY_H_

#include <stdbool.h>

#include <jurom_completion.h>

struct array {
    struct jurom_completion_array shared; /* first: cast from and to */
    struct jurom_completion_functions functions;
    bool state_changed; /* during the current drain */
};

#endif
