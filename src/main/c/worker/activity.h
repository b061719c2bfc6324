/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which callback of a plugin the worker is in, for the service to read when the worker does not
 * answer any more. It is told in an argument of the process, which anybody reads from
 * /proc/PID/cmdline: two stores a callback, no system call, nothing that the worker has to do.
 */
#ifndef JUROM_ACTIVITY_H_
#define JUROM_ACTIVITY_H_

#include <string.h>

#define ACTIVITY_OPTION "--in="
#define ACTIVITY_SIZE 32 /* characters; longer ones are cut */
#define ACTIVITY_NONE "no callback                     "

struct activity {
    char *text;                /* ACTIVITY_SIZE characters, read by others at any time */
    char unread[ACTIVITY_SIZE]; /* of a worker without such an argument */
};

/* `text`: the value of the option, or NULL. */
void activity_init(struct activity *activity, char *text);

/* How `callback` of the plugin `name` is told: padded with spaces, not terminated. */
void activity_describe(char description[ACTIVITY_SIZE], const char *callback, const char *name);

/* From now on the worker is in the callback with this description. */
static inline void activity_begins(struct activity *activity, const char *description)
{
    memcpy(activity->text, description, ACTIVITY_SIZE);
}

static inline void activity_ends(struct activity *activity)
{
    memcpy(activity->text, ACTIVITY_NONE, ACTIVITY_SIZE);
}

#endif /* JUROM_ACTIVITY_H_ */
