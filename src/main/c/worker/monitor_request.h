/* SPDX-License-Identifier: Apache-2.0 */
/* Receives and checks requests. */
#ifndef JUROM_MONITOR_REQUEST_H_
#define JUROM_MONITOR_REQUEST_H_

#include <stdbool.h>

#include "monitor.h"
#include "reason.h"

/* A received request, whose descriptors are closed at the next execve. */
struct received {
    struct monitor_request request;
    char *string[MONITOR_STRINGS_MAX + 1]; /* terminated by NULL; points into `bytes` */
    int descriptor[MONITOR_DESCRIPTORS_MAX];
    unsigned descriptors;
    char bytes[MONITOR_REQUEST_MAX];
};

/*
 * Receives one request. Returns false at the end of the socket. Sets `status` to INVALID_VALUE for a
 * malformed request and writes the reason; its id is 0 if it is too short to have one.
 */
bool monitor_receive(
        int socket, struct received *received, doca_error_t *status, char reason[REASON_MAX]);

/* Closes the descriptors. */
void monitor_release(struct received *received);

#endif /* JUROM_MONITOR_REQUEST_H_ */
