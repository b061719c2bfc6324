/* SPDX-License-Identifier: Apache-2.0 */
/* Messages between the workers of a domain: commands of worker_sandbox, and their answers. */
#ifndef JUROM_FAULT_MESSAGE_H_
#define JUROM_FAULT_MESSAGE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "job.h"

struct message {
    uint64_t key;  /* determines the tag and the bytes */
    size_t length; /* number of bytes */
    uint64_t to;   /* id of the worker in the domain */
};

/* Returns a message from a member to the next one. */
struct message message_of(const struct domain_job *job, unsigned sender, unsigned number);

/* Write the command that sends or receives the message, and return the length of the command. */
size_t message_write_send(const struct message *message, void *data);
size_t message_write_receive(const struct message *message, void *data);

/* Return whether an answer confirms that the message was sent, or contains the message. */
bool message_was_sent(const struct message *message, const void *data, size_t length);
bool message_was_received(const struct message *message, const void *data, size_t length);

#endif /* JUROM_FAULT_MESSAGE_H_ */
