/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of a command's state. The program takes those without PENDING, and C the others. */
#include "completion.h"

#define ASLEEP (JUROM_COMMAND_PENDING | JUROM_COMMAND_SLEEPER)
#define WOKEN (JUROM_COMMAND_PENDING | JUROM_COMMAND_SUCCESSOR)
#define LEFT (JUROM_COMMAND_PENDING | JUROM_COMMAND_DELIVER)

static const struct jurom_command_step steps[] = {
    { JUROM_COMMAND_FREE, JUROM_COMMAND_OWNED, 0 },     /* take */
    { JUROM_COMMAND_RESERVED, JUROM_COMMAND_OWNED, 0 }, /* take by the waiting thread */
    { JUROM_COMMAND_RESERVED, JUROM_COMMAND_FREE, 0 },  /* revoke */
    { JUROM_COMMAND_OWNED, JUROM_COMMAND_FREE, 1 },     /* release */
    { JUROM_COMMAND_OWNED, JUROM_COMMAND_RESERVED, 1 }, /* release for a waiting thread */
    { JUROM_COMMAND_DELIVER, JUROM_COMMAND_FREE, 1 },   /* receive and release */
    { JUROM_COMMAND_DELIVER, JUROM_COMMAND_RESERVED, 1 },
    { JUROM_COMMAND_FREE, JUROM_COMMAND_CLOSED, 1 },   /* close */
    { JUROM_COMMAND_OWNED, JUROM_COMMAND_CLOSED, 1 },  /* close; its owner does not use it again */
    { JUROM_COMMAND_OWNED, JUROM_COMMAND_PENDING, 0 }, /* begin */
    { JUROM_COMMAND_OWNED, LEFT, 0 },                  /* submit */
    { JUROM_COMMAND_PENDING, LEFT, 0 },                /* leave */
    { LEFT, JUROM_COMMAND_PENDING, 0 },                /* adopt */
    { JUROM_COMMAND_PENDING, ASLEEP, 0 },              /* sleep */
    { ASLEEP, WOKEN, 0 },                              /* choose as successor */
    { ASLEEP, JUROM_COMMAND_PENDING, 0 },              /* wake up */
    { WOKEN, JUROM_COMMAND_PENDING, 0 },
    { JUROM_COMMAND_PENDING, JUROM_COMMAND_OWNED, 0 }, /* complete */
    { ASLEEP, JUROM_COMMAND_OWNED, 0 },
    { WOKEN, JUROM_COMMAND_OWNED, 0 },
    { LEFT, JUROM_COMMAND_DELIVER, 0 },
    { 0, 0, 0 },
};

const struct jurom_command_step *jurom_command_steps(void)
{
    return steps;
}
