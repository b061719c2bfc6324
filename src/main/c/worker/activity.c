/* SPDX-License-Identifier: Apache-2.0 */
/* See activity.h. */
#include <stdbool.h>
#include <stdio.h>

#include "activity.h"

_Static_assert(sizeof(ACTIVITY_NONE) == ACTIVITY_SIZE + 1, "has the size of every description");

void activity_init(struct activity *activity, char *text)
{
    bool fits = text != NULL && strlen(text) == ACTIVITY_SIZE;

    activity->text = fits ? text : activity->unread;
}

void activity_describe(char description[ACTIVITY_SIZE], const char *callback, const char *name)
{
    char text[ACTIVITY_SIZE + 1];
    int length = snprintf(text, sizeof(text), "%s of %s", callback, name);

    memset(description, ' ', ACTIVITY_SIZE);
    memcpy(description, text, length < ACTIVITY_SIZE ? (size_t)length : ACTIVITY_SIZE);
}
