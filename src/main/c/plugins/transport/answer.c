/* SPDX-License-Identifier: Apache-2.0 */
/* Notifications of a plugin, from the command to the worker. */
#include <stdlib.h>
#include <string.h>

#include "answer.h"

struct urom_worker_notif_desc *answer_new(const struct urom_worker_cmd_desc *command, size_t length)
{
    struct urom_worker_notif_desc *answer;

    if (length > SIZE_MAX - sizeof(*answer))
        return NULL;
    answer = calloc(1, sizeof(*answer) + length);
    if (answer == NULL)
        return NULL;
    answer->dest_id = command->dest_id;
    answer->worker_notif.type = command->worker_cmd.type;
    answer->worker_notif.urom_context = command->worker_cmd.urom_context;
    answer->worker_notif.len = length;
    answer->worker_notif.status = DOCA_SUCCESS;
    return answer;
}

doca_error_t answer_pack(
        struct urom_worker_notify *notify, size_t fixed, size_t *length, void *packed)
{
    if (!answer_fits(notify, *length) && notify->len > fixed) {
        notify->len = fixed;
        notify->status = DOCA_ERROR_TOO_BIG;
    }
    if (!answer_fits(notify, *length))
        return DOCA_ERROR_TOO_BIG;

    *length = sizeof(*notify) + notify->len;
    memcpy(packed, notify, *length);
    return DOCA_SUCCESS;
}

doca_error_t answers_take(ucs_list_link_t *from, ucs_list_link_t *to)
{
    if (ucs_list_is_empty(from))
        return DOCA_ERROR_EMPTY;
    ucs_list_splice_tail(to, from);
    ucs_list_head_init(from);
    return DOCA_SUCCESS;
}

void answers_drop(ucs_list_link_t *answers, uint64_t dest_id)
{
    struct urom_worker_notif_desc *answer, *next;

    ucs_list_for_each_safe(answer, next, answers, entry)
    {
        if (answer->dest_id == dest_id) {
            ucs_list_del(&answer->entry);
            free(answer);
        }
    }
}

void answers_free(ucs_list_link_t *answers)
{
    while (!ucs_list_is_empty(answers))
        free(ucs_list_extract_head(answers, struct urom_worker_notif_desc, entry));
}
