/* SPDX-License-Identifier: Apache-2.0 */
/* A raw session with the service, which sends frames as bytes and has a deadline for each wait. */
#ifndef JUROM_HOSTILE_RAW_SESSION_H_
#define JUROM_HOSTILE_RAW_SESSION_H_

#include <channel/channel.h>

#define SESSION_MS 5000      /* deadline of an answer */
#define FRAME_READ_MAX 65536 /* bytes of a received frame */
#define PEER_MESSAGE_SIZE 4096

/* The reaction of the service or worker to an attack. */
enum outcome {
    OUTCOME_ANSWERED, /* by an ERROR or another frame */
    OUTCOME_CLOSED,   /* the connection */
    OUTCOME_IGNORED,  /* neither, without an effect */
    OUTCOME_LATE,     /* a required answer or close was not received in time */
    OUTCOMES,
};

/*
 * Connect a socket. Return -1 if the connection is rejected, possibly because there are too many.
 */
int session_unix(const char *path);
int session_tcp(unsigned port);

/* Sends all bytes. Returns false if the peer has closed the connection. */
bool session_send(int fd, const void *bytes, size_t length);
bool session_send_frame(int fd, const struct wire_frame *frame);

/* Reads a frame and returns its length, or 0 if the peer has closed the connection or is late. */
size_t session_read(int fd, uint8_t bytes[FRAME_READ_MAX], bool *late);

/* Reads until the peer closes the connection. Returns the outcome and the number of frames read. */
enum outcome session_read_to_end(int fd, unsigned *frames);

/* Opens a session and returns its socket after WELCOME, or -1. Stores the ID of worker_graph. */
int session_open(const char *path, uint64_t *graph);

/*
 * Requests the worker `worker_id` (0: any) with a plugin, and stores the path of its socket and a
 * ticket. Returns false if the request fails. session_release releases the worker.
 */
bool session_spawn(int fd, uint64_t *worker_id, uint64_t plugin, char path[128],
        struct channel_ticket *ticket);
bool session_release(int fd, uint64_t worker_id);

#endif /* JUROM_HOSTILE_RAW_SESSION_H_ */
