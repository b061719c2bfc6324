/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "worker.h"

#define RECORD_HEADER 5
#define RECORD_HANDSHAKE 22
#define HELLO_MAX 8192 /* bytes; that of a host has a few hundred */

enum hello {
    HELLO_AWAITED,
    HELLO_HERE,
    HELLO_NEVER, /* the peer disconnected or sent something else */
};

void strangers_init(
        struct strangers *strangers, void (*take)(struct worker *worker, int fd, bool local))
{
    strangers->take = take;
    strangers->first_deadline = UINT64_MAX;
    if (getrandom(&strangers->random, sizeof(strangers->random), GRND_NONBLOCK) < 0)
        strangers->random = idle_now_ns();
    strangers->random |= 1;
    strangers->factor = strangers->random;
}

/* Marsaglia's xorshift: fast, and sufficient because peers cannot observe its output. */
uint64_t strangers_random(struct strangers *strangers)
{
    strangers->random ^= strangers->random << 13;
    strangers->random ^= strangers->random >> 7;
    strangers->random ^= strangers->random << 17;
    return strangers->random;
}

/* Returns the counter of the peer's network. The random factor keeps it unpredictable to peers. */
static unsigned network_of(const struct strangers *strangers, int fd)
{
    struct sockaddr_storage address = { .ss_family = AF_UNSPEC };
    const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)&address;
    socklen_t length = sizeof(address);
    uint64_t network = 0;

    (void)!getpeername(fd, (struct sockaddr *)&address, &length);
    if (address.ss_family == AF_INET)
        network = ((const struct sockaddr_in *)&address)->sin_addr.s_addr;
    else if (address.ss_family == AF_INET6 && IN6_IS_ADDR_V4MAPPED(&six->sin6_addr))
        network = six->sin6_addr.s6_addr32[3];
    else if (address.ss_family == AF_INET6)
        memcpy(&network, &six->sin6_addr, sizeof(network));
    return (unsigned)(network * strangers->factor >> 32) % STRANGER_NETWORKS;
}

/* Peeks for the first TLS record, which contains the ClientHello, without consuming it. */
static enum hello look_for_hello(int fd)
{
    uint8_t header[RECORD_HEADER];
    ssize_t got = recv(fd, header, sizeof(header), MSG_PEEK | MSG_DONTWAIT);
    int length = got < RECORD_HEADER ? 0 : RECORD_HEADER + (header[3] << 8) + header[4];
    int here = 0;

    if (got < 0)
        return errno == EAGAIN || errno == EINTR ? HELLO_AWAITED : HELLO_NEVER;
    if (got == 0 || header[0] != RECORD_HANDSHAKE || length > HELLO_MAX)
        return HELLO_NEVER;
    if (got < RECORD_HEADER || ioctl(fd, FIONREAD, &here) != 0 || here < length)
        return HELLO_AWAITED;
    return HELLO_HERE;
}

/* Frees the slot and returns its descriptor, which the caller then owns. */
static int release(struct worker *worker, struct stranger *stranger)
{
    struct strangers *strangers = &worker->strangers;
    int fd = stranger->fd;

    rest_forget(worker, fd);
    --strangers->networks[stranger->network];
    --strangers->count;
    stranger->fd = 0;
    return fd;
}

/* Chooses a random connection of the network with the most connections. */
static struct stranger *choose_victim(struct strangers *strangers)
{
    struct stranger *chosen = NULL;
    unsigned most = 0, equals = 0;

    for (unsigned i = 0; i < STRANGERS_MAX; ++i) {
        struct stranger *stranger = &strangers->at[i];
        unsigned number = stranger->fd > 0 ? strangers->networks[stranger->network] : 0;

        if (number > most)
            equals = 0;
        most = number > most ? number : most;
        if (number > 0 && number == most && strangers_random(strangers) % ++equals == 0)
            chosen = stranger;
    }
    return chosen;
}

static struct stranger *make_room(struct worker *worker)
{
    struct strangers *strangers = &worker->strangers;
    struct stranger *slot = strangers->at;

    if (strangers->count == STRANGERS_MAX) {
        slot = choose_victim(strangers);
        close(release(worker, slot));
    }
    while (slot->fd > 0)
        ++slot;
    return slot;
}

static void await_hello(struct worker *worker, int fd)
{
    struct strangers *strangers = &worker->strangers;
    struct stranger *stranger = make_room(worker);

    *stranger = (struct stranger){
        .source.kind = SOURCE_STRANGER,
        .fd = fd,
        .network = network_of(strangers, fd),
        .deadline = idle_now_ns() + ARRIVAL_NS,
    };
    ++strangers->networks[stranger->network];
    ++strangers->count;
    if (stranger->deadline < strangers->first_deadline)
        strangers->first_deadline = stranger->deadline;
    if (!rest_watch(worker, fd, &stranger->source, EPOLLIN | EPOLLRDHUP | EPOLLET))
        close(release(worker, stranger));
}

void strangers_arrive(struct worker *worker, int fd)
{
    switch (look_for_hello(fd)) {
    case HELLO_HERE:
        worker->strangers.take(worker, fd, false);
        break;
    case HELLO_AWAITED:
        await_hello(worker, fd);
        break;
    case HELLO_NEVER:
        close(fd);
        break;
    }
}

void strangers_hear(struct worker *worker, struct stranger *stranger)
{
    enum hello hello = stranger->fd > 0 ? look_for_hello(stranger->fd) : HELLO_AWAITED;

    if (hello == HELLO_HERE)
        worker->strangers.take(worker, release(worker, stranger), false);
    else if (hello == HELLO_NEVER)
        close(release(worker, stranger));
}

void strangers_look(struct worker *worker, uint64_t now)
{
    struct strangers *strangers = &worker->strangers;
    uint64_t first = UINT64_MAX;

    if (now < strangers->first_deadline)
        return;
    for (unsigned i = 0; i < STRANGERS_MAX; ++i) {
        struct stranger *stranger = &strangers->at[i];

        if (stranger->fd > 0 && stranger->deadline <= now)
            close(release(worker, stranger));
        else if (stranger->fd > 0 && stranger->deadline < first)
            first = stranger->deadline;
    }
    strangers->first_deadline = first;
}

void strangers_free(struct worker *worker)
{
    strangers_look(worker, UINT64_MAX);
}
