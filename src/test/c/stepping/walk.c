/* SPDX-License-Identifier: Apache-2.0 */
#include "walk.h"

#include <stdlib.h>

#include <testing/assertions.h>

#include "steps.h"

static void arrive(struct walk *walk, const struct view *view, uint8_t *seen, bool in_kernel)
{
    struct stand *stand = &walk->stands[walk->instructions];

    if (walk->instructions > 0)
        *stand = (struct stand){ .digest = stand[-1].digest, .changed = in_kernel };
    if (walk->instructions == 0 || !view_equals(view, seen)) {
        view_copy(view, seen);
        *stand = (struct stand){ .digest = view_digest(view), .changed = true };
    }
    walk->changes += stand->changed;
}

void walk_take(struct walk *walk, pid_t pid, const struct view *view)
{
    uint8_t *seen = malloc(view_length(view));
    bool in_kernel;

    assert_non_null(seen);
    walk->instructions = walk->changes = 0;
    arrive(walk, view, seen, false);
    while (in_kernel = steps_enter_kernel(pid), steps_take(pid, 1) == 1) {
        assert_true(++walk->instructions < WALK_MAX);
        arrive(walk, view, seen, in_kernel);
    }
    free(seen);
}
