/* SPDX-License-Identifier: Apache-2.0 */
#include "assertions.h"

#include <poll.h>

#include <common/idle.h>

#define IDLE_POLLS 1000

void assert_status_at(
        doca_error_t expected, doca_error_t actual, const char *call, const char *file, int line)
{
    if (actual == expected)
        return;
    print_error("%s\n    returned %s, not %s\n", call, doca_error_get_name(actual),
            doca_error_get_name(expected));
    _fail(file, line);
}

uint64_t deadline_in(unsigned milliseconds)
{
    return idle_now_ns() + milliseconds * 1000000ull;
}

bool deadline_has_passed(uint64_t deadline)
{
    return idle_now_ns() > deadline;
}

void give_way(void)
{
    poll(NULL, 0, 1);
}

void give_way_when_idle(unsigned *idle)
{
    if (++*idle > IDLE_POLLS)
        give_way();
}
