/* SPDX-License-Identifier: Apache-2.0 */
/* A raw session with the service: frames as bytes, nothing in between, and a deadline for each wait. */
#ifndef JUROM_HOSTILE_TALK_H_
#define JUROM_HOSTILE_TALK_H_

#include <channel/channel.h>

#define TALK_MS 5000   /* that any answer may take */
#define TALK_MAX 65536 /* bytes of a frame that is read */
#define PEER_MESSAGE_SIZE 4096

/* How the service or worker took something. */
enum ending {
    ENDING_ANSWERED, /* by an ERROR or another frame */
    ENDING_CLOSED,   /* the connection */
    ENDING_IGNORED,  /* neither, and nothing else came of it */
    ENDING_LATE,     /* what had to be answered or closed was not, in time */
    ENDINGS,
};

/* Connected sockets; -1: refused, which may be for there are too many. */
int talk_unix(const char *path);
int talk_tcp(unsigned port);

/* Sends it all. False: the other side has closed. */
bool talk_send(int fd, const void *bytes, size_t length);
bool talk_send_frame(int fd, const struct wire_frame *frame);

/* Reads a frame into `bytes`: its length, or 0 when the other side has closed, or is late. */
size_t talk_read(int fd, uint8_t bytes[TALK_MAX], bool *late);

/* Reads until the other side has closed; how that went, and how many frames came before. */
enum ending talk_read_to_end(int fd, unsigned *frames);

/* A session behind WELCOME, and the id of worker_graph; -1: none. */
int talk_open_session(const char *path, uint64_t *graph);

/*
 * Asks for a worker of this id (0: any) with that plugin. Its socket's path and a ticket; false: it
 * was refused. The request id is 77: for talk_release.
 */
bool talk_spawn(int fd, uint64_t *worker_id, uint64_t plugin, char path[128],
        struct channel_ticket *ticket);
bool talk_release(int fd, uint64_t worker_id);

#endif /* JUROM_HOSTILE_TALK_H_ */
