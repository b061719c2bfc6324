/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a process shares with the one at the other end of its channel, but for the socket, of which
 * only a system call can change anything: the memory of the rings.
 */
#ifndef JUROM_STEPPING_VIEW_H_
#define JUROM_STEPPING_VIEW_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define VIEW_PARTS_MAX 32

/* Memory of rings that this process has mapped, in parts. */
struct view {
    unsigned count;
    struct view_part {
        const uint8_t *begin;
        size_t length;
        unsigned long offset; /* in its file */
    } parts[VIEW_PARTS_MAX];
};

void view_of_all(struct view *all);

/* Of the one channel more that there is than before; what is mapped twice, once. */
void view_of_new(const struct view *before, struct view *view);

/* Its contents copied, whether they are those of the copy, and a number that stands for them. */
size_t view_length(const struct view *view);
void view_copy(const struct view *view, uint8_t *copy);
bool view_equals(const struct view *view, const uint8_t *copy);
uint64_t view_digest(const struct view *view);

#endif /* JUROM_STEPPING_VIEW_H_ */
