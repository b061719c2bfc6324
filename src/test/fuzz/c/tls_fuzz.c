/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libFuzzer target: the handshake between a host with a ticket and a worker, with a man in the
 * middle who changes, drops and inserts bytes. The input is a plan of these changes: groups of
 * direction, offset and byte. Both sides finish, and without changes both are connected.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <channel/tls.h>

#include "input.h"

#define ID_SIZE 16
#define KEY_SIZE 32
#define ROUNDS 8
#define CARRIED_MAX 16384

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
extern const struct tls_library jurom_channel_tls;

/* One side, and the peer's end of its socket. */
struct side {
    struct tls_session *session;
    int own, other;
    doca_error_t status;
};

static const uint8_t id[ID_SIZE] = { 1, 2, 3 };
static const uint8_t key[KEY_SIZE] = { 4, 5, 6 };
static bool changed;

static const uint8_t *find_key(void *owner, const uint8_t *shown)
{
    (void)owner;
    return memcmp(shown, id, ID_SIZE) == 0 ? key : NULL;
}

static void open_side(struct side *side, bool accepts)
{
    int sockets[2];

    require(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, sockets) == 0);
    *side = (struct side){ .own = sockets[0], .other = sockets[1], .status = DOCA_ERROR_AGAIN };
    if (accepts)
        require(jurom_channel_tls.accept_ticket(
                        side->own, ID_SIZE, KEY_SIZE, find_key, NULL, &side->session)
                == DOCA_SUCCESS);
    else
        require(jurom_channel_tls.connect_ticket(
                        side->own, id, ID_SIZE, key, KEY_SIZE, &side->session)
                == DOCA_SUCCESS);
}

static void move_on(struct side *side)
{
    char reason[TLS_REASON_MAX] = "";

    if (side->status != DOCA_ERROR_AGAIN)
        return;
    side->status = jurom_channel_tls.handshake(side->session, reason);
    require(side->status == DOCA_ERROR_AGAIN || side->status == DOCA_SUCCESS || reason[0] != '\0');
}

/* Transfers bytes from `from` to `to` with the changes of the plan. */
static void carry(struct input *input, struct side *from, struct side *to)
{
    uint8_t bytes[CARRIED_MAX];
    ssize_t length = recv(from->other, bytes, sizeof(bytes) - 256, MSG_DONTWAIT);
    unsigned changes = (unsigned)take_number(input, 1) % 8;

    if (length <= 0)
        return;
    for (unsigned i = 0; i < changes && length > 0; ++i) {
        size_t place = take_number(input, 2) % (size_t)length;
        uint8_t mask = (uint8_t)take_number(input, 1);

        changed |= mask != 0;
        bytes[place] ^= mask;
        if (mask == 255)
            length = (ssize_t)place;
    }
    if (changes == 7) {
        take_bytes(input, bytes + length, 64);
        length += 64;
        changed = true;
    }
    (void)!send(to->other, bytes, (size_t)length, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* Exchanges bytes after both sides are connected. */
static void talk(struct input *input, struct side *host, struct side *worker)
{
    uint8_t bytes[512] = "hello";
    size_t done = 0;

    if (host->status != DOCA_SUCCESS || worker->status != DOCA_SUCCESS)
        return;
    require(memcmp(jurom_channel_tls.ticket_id(worker->session), id, ID_SIZE) == 0);
    (void)jurom_channel_tls.write(host->session, bytes, sizeof(bytes), &done);
    carry(input, host, worker);
    done = 0;
    (void)jurom_channel_tls.read(worker->session, bytes, sizeof(bytes), &done);
    require(done <= sizeof(bytes));
}

static void close_side(struct side *side)
{
    jurom_channel_tls.close(side->session);
    close(side->own);
    close(side->other);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = { data, size };
    struct side host, worker;

    changed = false;
    open_side(&host, false);
    open_side(&worker, true);
    for (unsigned i = 0; i < ROUNDS; ++i) {
        move_on(&host);
        carry(&input, &host, &worker);
        move_on(&worker);
        carry(&input, &worker, &host);
    }
    require(changed || (host.status == DOCA_SUCCESS && worker.status == DOCA_SUCCESS));
    talk(&input, &host, &worker);
    close_side(&host);
    close_side(&worker);
    return 0;
}
