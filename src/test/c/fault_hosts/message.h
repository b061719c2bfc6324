/* SPDX-License-Identifier: Apache-2.0 */
/* Messages between the workers of a domain: commands of worker_sandbox, and their answers. */
#ifndef JUROM_FAULT_MESSAGE_H_
#define JUROM_FAULT_MESSAGE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "job.h"

struct message {
    uint64_t key;  /* its tag, and what its bytes are made of */
    size_t length; /* of its bytes */
    uint64_t to;   /* the worker's id in the domain */
};

/* The message of this number from a member to the next one. */
struct message message_of(const struct domain_job *job, unsigned sender, unsigned number);

/* Writes the command that sends it, or the one that receives it; gives its length. */
size_t message_write_send(const struct message *message, void *data);
size_t message_write_receive(const struct message *message, void *data);

/* Whether these bytes say that it was sent, or are itself. */
bool message_was_sent(const struct message *message, const void *data, size_t length);
bool message_was_received(const struct message *message, const void *data, size_t length);

#endif /* JUROM_FAULT_MESSAGE_H_ */
