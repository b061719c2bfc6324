/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Buffer descriptors, single or chained into lists. Not thread-safe.
 *
 * The head of a list stores the list's last element and length. A released descriptor has a
 * reference count of 0 until it is allocated again; every function rejects it.
 */
#include "buf.h"

#include <stdbool.h>

#include "sdk_log.h"

SDK_LOG_REGISTER(DOCA::BUF)

void priv_doca_buf_init(struct doca_buf *buf, void *head, size_t len, void *data, size_t data_len)
{
    *buf = (struct doca_buf){
        .head = head,
        .len = len,
        .data = data,
        .data_len = data_len,
        .first = buf,
        .last = buf,
        .list_len = 1,
        .refcount = 1,
    };
}

static bool is_live(const struct doca_buf *buf)
{
    return buf != NULL && buf->refcount > 0;
}

static bool is_list(const struct doca_buf *buf)
{
    return is_live(buf) && buf->first == buf;
}

/* Makes `buf` a list of one element. */
static void detach(struct doca_buf *buf)
{
    buf->next = NULL;
    buf->first = buf;
    buf->last = buf;
    buf->list_len = 1;
}

/* Releases all elements; each has one reference, since only a head may have more. */
static void release_list(struct doca_buf *list)
{
    struct doca_buf *next;

    for (; list != NULL; list = next) {
        next = list->next;
        detach(list);
        list->refcount = 0;
        if (list->release != NULL)
            list->release(list, list->owner);
    }
}

doca_error_t doca_buf_inc_refcount(struct doca_buf *buf, uint16_t *refcount)
{
    if (!is_live(buf))
        return DOCA_ERROR_INVALID_VALUE;
    if (buf->first != buf)
        return DOCA_ERROR_NOT_PERMITTED;
    if (buf->refcount == UINT16_MAX)
        return DOCA_ERROR_TOO_BIG;

    if (refcount != NULL)
        *refcount = buf->refcount;
    buf->refcount++;
    return DOCA_SUCCESS;
}

doca_error_t doca_buf_dec_refcount(struct doca_buf *buf, uint16_t *refcount)
{
    if (buf == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (buf->refcount == 0)
        return DOCA_ERROR_BAD_STATE;
    if (buf->first != buf) {
        SDK_LOG_DBG("The buffer %p is not the head of its list: unchain it before releasing it",
                (void *)buf);
        return DOCA_ERROR_NOT_PERMITTED;
    }
    if (buf->refcount == 1 && buf->release == NULL) {
        SDK_LOG_DBG("The buffer %p belongs to a task and is released with it", (void *)buf);
        return DOCA_ERROR_NOT_PERMITTED;
    }

    if (refcount != NULL)
        *refcount = buf->refcount;
    if (buf->refcount == 1)
        release_list(buf);
    else
        buf->refcount--;
    return DOCA_SUCCESS;
}

doca_error_t doca_buf_get_refcount(const struct doca_buf *buf, uint16_t *refcount)
{
    if (!is_live(buf) || refcount == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    *refcount = buf->refcount;
    return DOCA_SUCCESS;
}

doca_error_t doca_buf_get_len(const struct doca_buf *buf, size_t *len)
{
    if (!is_live(buf) || len == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    *len = buf->len;
    return DOCA_SUCCESS;
}

doca_error_t doca_buf_get_head(const struct doca_buf *buf, void **head)
{
    if (!is_live(buf) || head == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    *head = buf->head;
    return DOCA_SUCCESS;
}

doca_error_t doca_buf_get_data_len(const struct doca_buf *buf, size_t *data_len)
{
    if (!is_live(buf) || data_len == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    *data_len = buf->data_len;
    return DOCA_SUCCESS;
}

doca_error_t doca_buf_get_data(const struct doca_buf *buf, void **data)
{
    if (!is_live(buf) || data == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    *data = buf->data;
    return DOCA_SUCCESS;
}

doca_error_t doca_buf_set_data(struct doca_buf *buf, void *data, size_t data_len)
{
    uintptr_t head, start;

    if (!is_live(buf))
        return DOCA_ERROR_INVALID_VALUE;
    head = (uintptr_t)buf->head;
    start = (uintptr_t)data;
    if (start < head || start - head > buf->len || data_len > buf->len - (start - head)) {
        SDK_LOG_DBG("Data of %zu bytes at %p is not within the buffer of %zu bytes at %p", data_len,
                data, buf->len, (void *)buf->head);
        return DOCA_ERROR_INVALID_VALUE;
    }

    buf->data = data;
    buf->data_len = data_len;
    return DOCA_SUCCESS;
}

doca_error_t doca_buf_set_data_len(struct doca_buf *buf, size_t data_len)
{
    if (!is_live(buf))
        return DOCA_ERROR_INVALID_VALUE;
    return doca_buf_set_data(buf, buf->data, data_len);
}

doca_error_t doca_buf_reset_data_len(struct doca_buf *buf)
{
    return doca_buf_set_data_len(buf, 0);
}

doca_error_t doca_buf_get_next_in_list(struct doca_buf *buf, struct doca_buf **next_buf)
{
    if (!is_live(buf) || next_buf == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    *next_buf = buf->next;
    return DOCA_SUCCESS;
}

doca_error_t doca_buf_get_last_in_list(struct doca_buf *buf, struct doca_buf **last_buf)
{
    if (!is_live(buf) || last_buf == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    *last_buf = buf->first->last;
    return DOCA_SUCCESS;
}

doca_error_t doca_buf_is_last_in_list(const struct doca_buf *buf, uint8_t *is_last)
{
    if (!is_live(buf) || is_last == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    *is_last = buf->next == NULL;
    return DOCA_SUCCESS;
}

doca_error_t doca_buf_is_first_in_list(const struct doca_buf *buf, uint8_t *is_first)
{
    if (!is_live(buf) || is_first == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    *is_first = buf->first == buf;
    return DOCA_SUCCESS;
}

doca_error_t doca_buf_is_in_list(const struct doca_buf *buf, uint8_t *is_in_list)
{
    if (!is_live(buf) || is_in_list == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    *is_in_list = buf->first != buf || buf->next != NULL;
    return DOCA_SUCCESS;
}

doca_error_t doca_buf_get_list_len(const struct doca_buf *buf, uint32_t *num_elements)
{
    if (!is_live(buf) || num_elements == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (buf->first != buf)
        return DOCA_ERROR_NOT_PERMITTED;

    *num_elements = buf->list_len;
    return DOCA_SUCCESS;
}

doca_error_t doca_buf_chain_list(struct doca_buf *list1, struct doca_buf *list2)
{
    if (!is_list(list1))
        return DOCA_ERROR_INVALID_VALUE;
    return doca_buf_chain_list_tail(list1, list1->last, list2);
}

doca_error_t doca_buf_chain_list_tail(
        struct doca_buf *list1_head, struct doca_buf *list1_tail, struct doca_buf *list2)
{
    struct doca_buf *element;

    if (!is_list(list1_head) || !is_list(list2) || list1_head == list2)
        return DOCA_ERROR_INVALID_VALUE;
    if (list1_head->last != list1_tail)
        return DOCA_ERROR_INVALID_VALUE;
    if (list2->refcount != 1) {
        SDK_LOG_DBG("The list %p has %u references: it must have 1 to be appended to another list",
                (void *)list2, list2->refcount);
        return DOCA_ERROR_NOT_PERMITTED;
    }

    list1_tail->next = list2;
    list1_head->last = list2->last;
    list1_head->list_len += list2->list_len;
    for (element = list2; element != NULL; element = element->next)
        element->first = list1_head;
    return DOCA_SUCCESS;
}

doca_error_t doca_buf_unchain_list(struct doca_buf *list1, struct doca_buf *list2)
{
    struct doca_buf *before, *element;
    uint32_t remaining = 1;

    if (!is_list(list1) || !is_live(list2) || list2->first != list1 || list2 == list1)
        return DOCA_ERROR_INVALID_VALUE;

    for (before = list1; before->next != list2; before = before->next)
        remaining++;
    list2->last = list1->last;
    list2->list_len = list1->list_len - remaining;
    before->next = NULL;
    list1->last = before;
    list1->list_len = remaining;
    for (element = list2; element != NULL; element = element->next)
        element->first = list2;
    return DOCA_SUCCESS;
}
