/* SPDX-License-Identifier: Apache-2.0 */
/* What an array has beside the part that its reader sees. */
#ifndef COMPLETION_ARRAY_H_
#define COMPLETION_ARRAY_H_

#include <stdbool.h>

#include <jurom_completion.h>

struct array {
    struct jurom_completion_array shared; /* first: a pointer to it is one to this */
    struct jurom_completion_functions functions;
    bool state_changed; /* in the drain under way */
};

#endif
