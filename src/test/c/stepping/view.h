/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The memory that a process shares with its peer: the rings. The socket is not included, because
 * only system calls modify it.
 */
#ifndef JUROM_STEPPING_VIEW_H_
#define JUROM_STEPPING_VIEW_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define VIEW_PARTS_MAX 32

/* Mapped memory of rings, in parts. */
struct view {
    unsigned count;
    struct view_part {
        const uint8_t *begin;
        size_t length;
        unsigned long offset; /* offset in the file */
    } parts[VIEW_PARTS_MAX];
};

void view_of_all(struct view *all);

/* Finds the memory of the newest channel. Data that is mapped twice is included once. */
void view_of_new(const struct view *before, struct view *view);

/* Copy the contents, compare them with the copy, and compute a hash of them. */
size_t view_length(const struct view *view);
void view_copy(const struct view *view, uint8_t *copy);
bool view_equals(const struct view *view, const uint8_t *copy);
uint64_t view_digest(const struct view *view);

#endif /* JUROM_STEPPING_VIEW_H_ */
