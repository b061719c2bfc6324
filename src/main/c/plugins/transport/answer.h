/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Notifications of a plugin: made when a command arrives, so that it can be answered whatever
 * happens then, filled in later, and taken by the worker.
 */
#ifndef JUROM_PLUGIN_ANSWER_H_
#define JUROM_PLUGIN_ANSWER_H_

#include <stdbool.h>
#include <stddef.h>

#include <doca_urom_plugin.h>

/* A zeroed notification of `length` plugin bytes that answers `command`; NULL: no memory. */
struct urom_worker_notif_desc *answer_new(const struct urom_worker_cmd_desc *command,
        size_t length);

/* The plugin's bytes in it. */
static inline void *answer_body(struct urom_worker_notif_desc *answer)
{
    return answer->worker_notif.plugin_notif;
}

/* Whether a packed notification of `room` bytes holds it. */
static inline bool answer_fits(const struct urom_worker_notify *notify, size_t room)
{
    return room >= sizeof(*notify) && notify->len <= room - sizeof(*notify);
}

/*
 * The plugin's `notif_pack`. A notification that is longer than the maximum message size is cut to
 * its first `fixed` bytes and has the status TOO_BIG.
 */
doca_error_t answer_pack(struct urom_worker_notify *notify, size_t fixed, size_t *length,
        void *packed);

/* Gives all in `from` to the worker. EMPTY: there is none. */
doca_error_t answers_take(ucs_list_link_t *from, ucs_list_link_t *to);

/* Frees those for a host that has left. */
void answers_drop(ucs_list_link_t *answers, uint64_t dest_id);

/* Frees all in `answers`. */
void answers_free(ucs_list_link_t *answers);

#endif /* JUROM_PLUGIN_ANSWER_H_ */
