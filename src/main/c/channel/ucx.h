/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What libjurom_channel_ucx.so offers to the channels: pieces of frames over UCX active messages,
 * to one peer. A library of its own, opened by dlopen when service and host both want it: nothing
 * else of a channel links UCX. One thread a link.
 *
 * Flow control is the link's own. A piece of n bytes counts as n + UCX_PIECE_COST, and at most
 * UCX_WINDOW may be on their way to a receiver that has not yet taken them: a peer that does not
 * read holds no more than that here, one that sends more than that breaks the link.
 */
#ifndef JUROM_CHANNEL_UCX_H_
#define JUROM_CHANNEL_UCX_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_error.h>

#define UCX_REASON_MAX 256
#define UCX_ADDRESS_MAX 16384 /* bytes; one has some hundred for each network card */
#define UCX_WINDOW 1048576
#define UCX_PIECE_MAX 65528
#define UCX_PIECE_COST 64

struct ucx_link;

struct ucx_library {
    /* Where lines that UCX logs go, without a newline; from any thread. Called once, at first. */
    void (*log_to)(void (*write)(const char *line));
    /*
     * Makes a UCP worker of its own. UCX_TLS and UCX_NET_DEVICES are honoured. Without the latter,
     * it uses the `devices` ("eth0,mlx5_0:1"), or if that is empty and the machine has no
     * InfiniBand, the `interface`. `reason` is a sentence.
     */
    doca_error_t (*open)(const char *devices, const char *interface, struct ucx_link **link,
            char reason[UCX_REASON_MAX]);
    /* Its address, for the peer. */
    const void *(*address)(const struct ucx_link *link, size_t *length);
    /* Connects to the peer's, which is trusted: UCX ends the process for some that are garbled. */
    doca_error_t (*connect)(
            struct ucx_link *link, const void *address, size_t length, char reason[UCX_REASON_MAX]);
    /* Whether both sides have heard of each other by UCX. */
    bool (*is_up)(const struct ucx_link *link);

    /* Has UCX work. How much it did; 0: nothing. */
    unsigned (*progress)(struct ucx_link *link);
    /* Takes as many of these bytes as there is room for. */
    size_t (*put)(struct ucx_link *link, const uint8_t *data, size_t length);
    /* The next piece that has arrived, or NULL; it is there until it is taken. */
    const uint8_t *(*peek)(const struct ucx_link *link, size_t *length);
    void (*take)(struct ucx_link *link);
    /* How much was ever sent, and how much has arrived, by the cost of the pieces. */
    uint64_t (*sent)(const struct ucx_link *link);
    uint64_t (*arrived)(const struct ucx_link *link);

    /* Readable when there is something to progress, once armed. False: progress first. */
    int (*descriptor)(const struct ucx_link *link);
    bool (*arm)(struct ucx_link *link);
    /* Why nothing can be sent any more, in a sentence; NULL: it can. */
    const char *(*failure)(const struct ucx_link *link);
    /*
     * Closes and frees the link, without waiting for the peer: `closing` progresses a close that
     * UCX does not complete at once. `flush`: sends what was put first, for some milliseconds. A
     * link that UCX cannot close in time stays as it is, for the life of the process.
     */
    void (*close)(struct ucx_link *link, bool flush);
    /* Progresses the links of this process that are closing, and returns their number. */
    unsigned (*closing)(void);
    /* Waits until no link is closing, for 60 ms at most. The end of the process calls it. */
    void (*finish)(void);
};

/* The one symbol of the library. */
extern const struct ucx_library jurom_channel_ucx;

#endif /* JUROM_CHANNEL_UCX_H_ */
