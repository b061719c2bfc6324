/* SPDX-License-Identifier: Apache-2.0 */
/* A launcher (worker/monitor.h), started as by the service. */
#ifndef JUROM_MONITOR_CLIENT_TEST_H_
#define JUROM_MONITOR_CLIENT_TEST_H_

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <worker/monitor.h>

struct monitor_client {
    pid_t pid;  /* 0: none */
    int socket; /* -1: closed */
};

/* Starts a launcher, which inherits the attributes of this process, but not its environment. */
void monitor_open(struct monitor_client *client);

/* Sends bytes as one message, with descriptors. */
void monitor_send_bytes(const struct monitor_client *client, const void *bytes, size_t length,
        const int *descriptors, unsigned count);

/* Sends a request with these strings, terminated by NULL, whose number it sets. */
void monitor_send(const struct monitor_client *client, struct monitor_request request,
        const char *const strings[], const int *descriptors, unsigned count);

/* Receives the next event, and its reason. */
void monitor_receive_event(const struct monitor_client *client, struct monitor_event *event,
        char reason[MONITOR_REASON_MAX + 1], int milliseconds);

/* Closes the socket, and waits for the exit of the launcher. */
void monitor_close(struct monitor_client *client);

#endif /* JUROM_MONITOR_CLIENT_TEST_H_ */
