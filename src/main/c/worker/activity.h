/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The plugin callback that the worker is executing, for the service to read when the worker stops
 * responding. The worker writes it into an argument of its process, which any user can read from
 * /proc/PID/cmdline. This costs two stores per callback and no system call.
 */
#ifndef JUROM_ACTIVITY_H_
#define JUROM_ACTIVITY_H_

#include <string.h>

#define ACTIVITY_OPTION "--in="
#define ACTIVITY_SIZE 32 /* characters; longer descriptions are truncated */
#define ACTIVITY_NONE "no callback                     "

struct activity {
    char *text;                 /* ACTIVITY_SIZE characters; other processes read it at any time */
    char unread[ACTIVITY_SIZE]; /* used if the process has no such argument */
};

/* `text` is the value of ACTIVITY_OPTION, or NULL. */
void activity_init(struct activity *activity, char *text);

/* Describes `callback` of the plugin `name`; padded with spaces, not NUL-terminated. */
void activity_describe(char description[ACTIVITY_SIZE], const char *callback, const char *name);

/* Records that the worker enters the callback with this description. */
static inline void activity_begins(struct activity *activity, const char *description)
{
    memcpy(activity->text, description, ACTIVITY_SIZE);
}

static inline void activity_ends(struct activity *activity)
{
    memcpy(activity->text, ACTIVITY_NONE, ACTIVITY_SIZE);
}

#endif /* JUROM_ACTIVITY_H_ */
