/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The interface of libjurom_channel_ucx.so: links to one peer each, which send pieces of frames as
 * UCX active messages. A separate library, loaded if both service and host request UCX, because the
 * rest of a channel does not need UCX. A link is used by one thread.
 *
 * Links have their own flow control. A piece of n bytes costs n + UCX_PIECE_COST, and at most
 * UCX_WINDOW may be sent and not yet taken by the receiver. This bounds the memory for a peer that
 * does not read; a peer that exceeds the window breaks the link.
 */
#ifndef JUROM_CHANNEL_UCX_H_
#define JUROM_CHANNEL_UCX_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_error.h>

#define UCX_REASON_MAX 256
#define UCX_ADDRESS_MAX 16384 /* bytes; an address has some hundred per network card */
#define UCX_WINDOW 1048576
#define UCX_PIECE_MAX 65528
#define UCX_PIECE_COST 64

struct ucx_link;

struct ucx_library {
    /* Redirects the log of UCX to `write`, called on any thread. Call once, before the rest. */
    void (*log_to)(void (*write)(const char *line));
    /*
     * Creates a link with its own UCP worker. Honours UCX_TLS and UCX_NET_DEVICES. Without the
     * latter, uses `devices` ("eth0,mlx5_0:1") or, if that is empty and the machine has no
     * InfiniBand, `interface`. On an error, `reason` is a sentence.
     */
    doca_error_t (*open)(const char *devices, const char *interface, struct ucx_link **link,
            char reason[UCX_REASON_MAX]);
    /* Returns the address of the link, for the peer. */
    const void *(*address)(const struct ucx_link *link, size_t *length);
    /* Connects to the peer's address. It must be trusted: UCX aborts for some malformed ones. */
    doca_error_t (*connect)(
            struct ucx_link *link, const void *address, size_t length, char reason[UCX_REASON_MAX]);
    /* Returns whether both sides have received a message of the other. */
    bool (*is_up)(const struct ucx_link *link);

    /* Progresses UCX. Returns the amount of work done. */
    unsigned (*progress)(struct ucx_link *link);
    /* Sends the bytes that the window has room for. Returns their number. */
    size_t (*put)(struct ucx_link *link, const uint8_t *data, size_t length);
    /* Returns the next piece that has arrived, valid until `take`, or NULL. */
    const uint8_t *(*peek)(const struct ucx_link *link, size_t *length);
    void (*take)(struct ucx_link *link);
    /* Return the total cost of the pieces that were sent, and that have arrived. */
    uint64_t (*sent)(const struct ucx_link *link);
    uint64_t (*arrived)(const struct ucx_link *link);

    /* Once armed, the descriptor becomes readable when there is work. False: progress first. */
    int (*descriptor)(const struct ucx_link *link);
    bool (*arm)(struct ucx_link *link);
    /* Returns why the link has failed, as a sentence, or NULL. */
    const char *(*failure)(const struct ucx_link *link);
    /*
     * Closes and frees the link. Does not block: `closing` progresses a close that UCX does not
     * complete immediately. `flush`: tries to send queued data first, for some milliseconds. A link
     * that UCX cannot close in time is leaked.
     */
    void (*close)(struct ucx_link *link, bool flush);
    /* Progresses the links of this process that are closing, and returns their number. */
    unsigned (*closing)(void);
    /* Blocks until no link is closing, for at most 60 ms. Called at the end of the process. */
    void (*finish)(void);
};

/* The only symbol that the library exports. */
extern const struct ucx_library jurom_channel_ucx;

#endif /* JUROM_CHANNEL_UCX_H_ */
