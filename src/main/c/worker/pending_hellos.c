/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "worker.h"

#define RECORD_HEADER 5
#define RECORD_HANDSHAKE 22
#define HELLO_MAX 8192 /* bytes; a host sends a few hundred */

enum hello_state {
    HELLO_INCOMPLETE,
    HELLO_COMPLETE,
    HELLO_INVALID, /* the peer disconnected or sent something else */
};

void pending_hellos_init(
        struct pending_hellos *hellos, void (*accept)(struct worker *worker, int fd, bool local))
{
    hellos->accept = accept;
    hellos->first_deadline = UINT64_MAX;
    if (getrandom(&hellos->random, sizeof(hellos->random), GRND_NONBLOCK) < 0)
        hellos->random = idle_now_ns();
    hellos->random |= 1;
    hellos->factor = hellos->random;
}

/* Marsaglia's xorshift: fast, and sufficient because peers cannot observe its output. */
uint64_t pending_hellos_random(struct pending_hellos *hellos)
{
    hellos->random ^= hellos->random << 13;
    hellos->random ^= hellos->random >> 7;
    hellos->random ^= hellos->random << 17;
    return hellos->random;
}

/* Returns the counter of the peer's network. The random factor keeps it unpredictable to peers. */
static unsigned network_of(const struct pending_hellos *hellos, int fd)
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
    return (unsigned)(network * hellos->factor >> 32) % PENDING_HELLO_NETWORKS;
}

/* Peeks for the first TLS record, which contains the ClientHello, without consuming it. */
static enum hello_state peek_hello(int fd)
{
    uint8_t header[RECORD_HEADER];
    ssize_t got = recv(fd, header, sizeof(header), MSG_PEEK | MSG_DONTWAIT);
    int length = got < RECORD_HEADER ? 0 : RECORD_HEADER + (header[3] << 8) + header[4];
    int available = 0;

    if (got < 0)
        return errno == EAGAIN || errno == EINTR ? HELLO_INCOMPLETE : HELLO_INVALID;
    if (got == 0 || header[0] != RECORD_HANDSHAKE || length > HELLO_MAX)
        return HELLO_INVALID;
    if (got < RECORD_HEADER || ioctl(fd, FIONREAD, &available) != 0 || available < length)
        return HELLO_INCOMPLETE;
    return HELLO_COMPLETE;
}

/* Frees the slot and returns its descriptor, which the caller then owns. */
static int release(struct worker *worker, struct pending_hello *hello)
{
    struct pending_hellos *hellos = &worker->pending_hellos;
    int fd = hello->fd;

    events_unwatch(&worker->events, fd);
    --hellos->networks[hello->network];
    --hellos->count;
    hello->fd = 0;
    return fd;
}

/* Chooses a random connection of the network with the most connections. */
static struct pending_hello *choose_victim(struct pending_hellos *hellos)
{
    struct pending_hello *chosen = NULL;
    unsigned most = 0, equals = 0;

    for (unsigned i = 0; i < PENDING_HELLOS_MAX; ++i) {
        struct pending_hello *hello = &hellos->at[i];
        unsigned number = hello->fd > 0 ? hellos->networks[hello->network] : 0;

        if (number > most)
            equals = 0;
        most = number > most ? number : most;
        if (number > 0 && number == most && pending_hellos_random(hellos) % ++equals == 0)
            chosen = hello;
    }
    return chosen;
}

static struct pending_hello *make_room(struct worker *worker)
{
    struct pending_hellos *hellos = &worker->pending_hellos;
    struct pending_hello *slot = hellos->at;

    if (hellos->count == PENDING_HELLOS_MAX) {
        slot = choose_victim(hellos);
        close(release(worker, slot));
    }
    while (slot->fd > 0)
        ++slot;
    return slot;
}

static void await_hello(struct worker *worker, int fd)
{
    struct pending_hellos *hellos = &worker->pending_hellos;
    struct pending_hello *hello = make_room(worker);

    *hello = (struct pending_hello){
        .source.kind = SOURCE_PENDING_HELLO,
        .fd = fd,
        .network = network_of(hellos, fd),
        .deadline = idle_now_ns() + ARRIVAL_NS,
    };
    ++hellos->networks[hello->network];
    ++hellos->count;
    if (hello->deadline < hellos->first_deadline)
        hellos->first_deadline = hello->deadline;
    if (!events_watch(&worker->events, fd, &hello->source, EPOLLIN | EPOLLRDHUP | EPOLLET))
        close(release(worker, hello));
}

void pending_hellos_accept(struct worker *worker, int fd)
{
    switch (peek_hello(fd)) {
    case HELLO_COMPLETE:
        worker->pending_hellos.accept(worker, fd, false);
        break;
    case HELLO_INCOMPLETE:
        await_hello(worker, fd);
        break;
    case HELLO_INVALID:
        close(fd);
        break;
    }
}

void pending_hellos_receive(struct worker *worker, struct pending_hello *hello)
{
    enum hello_state state = hello->fd > 0 ? peek_hello(hello->fd) : HELLO_INCOMPLETE;

    if (state == HELLO_COMPLETE)
        worker->pending_hellos.accept(worker, release(worker, hello), false);
    else if (state == HELLO_INVALID)
        close(release(worker, hello));
}

void pending_hellos_check_deadlines(struct worker *worker, uint64_t now)
{
    struct pending_hellos *hellos = &worker->pending_hellos;
    uint64_t first = UINT64_MAX;

    if (now < hellos->first_deadline)
        return;
    for (unsigned i = 0; i < PENDING_HELLOS_MAX; ++i) {
        struct pending_hello *hello = &hellos->at[i];

        if (hello->fd > 0 && hello->deadline <= now)
            close(release(worker, hello));
        else if (hello->fd > 0 && hello->deadline < first)
            first = hello->deadline;
    }
    hellos->first_deadline = first;
}

void pending_hellos_free(struct worker *worker)
{
    pending_hellos_check_deadlines(worker, UINT64_MAX);
}
