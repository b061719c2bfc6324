/* SPDX-License-Identifier: Apache-2.0 */
/* The life of a notification in its plugin. */
#include <stdlib.h>
#include <string.h>

#include "answer.h"

struct urom_worker_notif_desc *answer_new(const struct urom_worker_cmd_desc *command,
        size_t length)
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

doca_error_t answer_pack(struct urom_worker_notify *notify, size_t fixed, size_t *length,
        void *packed)
{
    if (notify->len > *length - sizeof(*notify) && notify->len > fixed) {
        notify->len = fixed;
        notify->status = DOCA_ERROR_TOO_BIG;
    }
    if (notify->len > *length - sizeof(*notify))
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

void answers_free(ucs_list_link_t *answers)
{
    while (!ucs_list_is_empty(answers))
        free(ucs_list_extract_head(answers, struct urom_worker_notif_desc, entry));
}
