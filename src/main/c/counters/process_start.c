/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "process_start.h"

#define LINE 1024
/* Fields between the state, field 3, and the parent, field 4, or the start time, field 22. */
#define BEFORE_PARENT 1
#define BEFORE_START 19

/* Parses a number after the name, which may contain any characters. */
static uint64_t number_of(const char *line, int fields_before)
{
    const char *at = strrchr(line, ')');
    uint64_t number = 0;

    if (at == NULL || at[1] != ' ' || at[2] == 'Z' || at[2] == 'X')
        return 0;
    at += 2;
    for (int i = 0; i < fields_before && at != NULL; ++i) {
        at = strchr(at, ' ');
        at = at == NULL ? NULL : at + 1;
    }
    return at != NULL && sscanf(at, "%" SCNu64, &number) == 1 ? number : 0;
}

static uint64_t read_number(uint64_t process_id, int fields_before)
{
    char text[LINE];
    ssize_t length;
    int fd;

    snprintf(text, sizeof(text), "/proc/%" PRIu64 "/stat", process_id);
    fd = open(text, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    length = read(fd, text, sizeof(text) - 1);
    close(fd);
    if (length <= 0)
        return 0;
    text[length] = '\0';
    return number_of(text, fields_before);
}

uint64_t counters_process_start(uint64_t process_id)
{
    return read_number(process_id, BEFORE_START);
}

uint64_t counters_process_parent(uint64_t process_id)
{
    return read_number(process_id, BEFORE_PARENT);
}
