/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "process_start.h"

#define LINE 1024
#define FIELDS_BEFORE 19 /* between the state, field 3, and the start time, field 22 */

/* Parses the fields after the name, which may contain any characters. */
static uint64_t start_of(const char *line)
{
    const char *at = strrchr(line, ')');
    uint64_t start = 0;

    if (at == NULL || at[1] != ' ' || at[2] == 'Z' || at[2] == 'X')
        return 0;
    at += 2;
    for (int i = 0; i < FIELDS_BEFORE && at != NULL; ++i) {
        at = strchr(at, ' ');
        at = at == NULL ? NULL : at + 1;
    }
    return at != NULL && sscanf(at, "%" SCNu64, &start) == 1 ? start : 0;
}

uint64_t counters_process_start(uint64_t process_id)
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
    return start_of(text);
}
