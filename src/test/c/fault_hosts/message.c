/* SPDX-License-Identifier: Apache-2.0 */
#include "message.h"

#include <string.h>

#include <jurom/urom_sandbox.h>

#include "payload.h"

#define COMMAND_SIZE sizeof(struct urom_worker_sandbox_cmd)

struct message message_of(const struct domain_job *job, unsigned sender, unsigned number)
{
    uint64_t key = payload_key(job->seed, sender, number);

    return (struct message){ key, key % (job->bytes + 1), 1 + (sender + 1) % job->members };
}

size_t message_write_send(const struct message *message, void *data)
{
    struct urom_worker_sandbox_cmd command = { .type = UROM_WORKER_CMD_SANDBOX_TAG_SEND };
    uint8_t *bytes = data;

    command.tag_send = (struct urom_worker_sandbox_cmd_tag_send){
        .context = message->key, .dest = message->to, .count = message->length, .tag = message->key
    };
    memcpy(bytes, &command, COMMAND_SIZE);
    for (size_t i = 0; i < message->length; ++i)
        bytes[COMMAND_SIZE + i] = payload_byte(message->key, i);
    return COMMAND_SIZE + message->length;
}

size_t message_write_receive(const struct message *message, void *data)
{
    struct urom_worker_sandbox_cmd command = { .type = UROM_WORKER_CMD_SANDBOX_TAG_RECV };

    command.tag_recv = (struct urom_worker_sandbox_cmd_tag_recv){ .context = message->key,
        .count = message->length,
        .tag = message->key,
        .tag_mask = UINT64_MAX };
    memcpy(data, &command, COMMAND_SIZE);
    return COMMAND_SIZE;
}

static bool read_answer(struct urom_worker_notify_sandbox *answer, const void *data, size_t length)
{
    if (length < sizeof(*answer))
        return false;
    memcpy(answer, data, sizeof(*answer));
    return true;
}

bool message_was_sent(const struct message *message, const void *data, size_t length)
{
    struct urom_worker_notify_sandbox answer;

    return read_answer(&answer, data, length) && length == sizeof(answer)
            && answer.type == UROM_WORKER_NOTIFY_SANDBOX_TAG_SEND
            && answer.tag_send.context == message->key && answer.tag_send.status == UCS_OK;
}

static bool is_whole(const struct message *message, const uint8_t *bytes)
{
    for (size_t i = 0; i < message->length; ++i) {
        if (bytes[i] != payload_byte(message->key, i))
            return false;
    }
    return true;
}

bool message_was_received(const struct message *message, const void *data, size_t length)
{
    struct urom_worker_notify_sandbox answer;

    return read_answer(&answer, data, length) && length == sizeof(answer) + message->length
            && answer.type == UROM_WORKER_NOTIFY_SANDBOX_TAG_RECV
            && answer.tag_recv.context == message->key && answer.tag_recv.status == UCS_OK
            && answer.tag_recv.count == message->length
            && answer.tag_recv.sender_tag == message->key
            && is_whole(message, (const uint8_t *)data + sizeof(answer));
}
