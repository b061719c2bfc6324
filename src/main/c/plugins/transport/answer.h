/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Notifications of a plugin. A notification is allocated when its command arrives, so that the
 * answer cannot fail for lack of memory, filled in later, and then passed to the worker.
 */
#ifndef JUROM_PLUGIN_ANSWER_H_
#define JUROM_PLUGIN_ANSWER_H_

#include <stdbool.h>
#include <stddef.h>

#include <doca_urom_plugin.h>

/* Allocates a zeroed notification of `length` plugin bytes for `command`; NULL: no memory. */
struct urom_worker_notif_desc *answer_new(
        const struct urom_worker_cmd_desc *command, size_t length);

/* Returns the plugin's bytes of the notification. */
static inline void *answer_body(struct urom_worker_notif_desc *answer)
{
    return answer->worker_notif.plugin_notif;
}

/* Returns whether the packed notification fits `room` bytes. */
static inline bool answer_fits(const struct urom_worker_notify *notify, size_t room)
{
    return room >= sizeof(*notify) && notify->len <= room - sizeof(*notify);
}

/*
 * Implements the plugin's `notif_pack`. A notification longer than the maximum message size is
 * truncated to its first `fixed` bytes and gets the status TOO_BIG.
 */
doca_error_t answer_pack(
        struct urom_worker_notify *notify, size_t fixed, size_t *length, void *packed);

/* Moves all notifications in `from` to the worker's list `to`. Returns EMPTY if there are none. */
doca_error_t answers_take(ucs_list_link_t *from, ucs_list_link_t *to);

/* Frees the notifications for a host that has left. */
void answers_drop(ucs_list_link_t *answers, uint64_t dest_id);

/* Frees all notifications in `answers`. */
void answers_free(ucs_list_link_t *answers);

#endif /* JUROM_PLUGIN_ANSWER_H_ */
