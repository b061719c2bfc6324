/* SPDX-License-Identifier: Apache-2.0 */
/* Forks the peer and communicates with it. */
#include "pair.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "measure.h"

struct order {
    size_t warm_up;
    size_t count;
};

struct pair pair_split(const int cores[2])
{
    struct pair pair = { 0 };
    int sockets[2];

    if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0)
        fail("socketpair", "failed");
    pid_t child = fork();
    if (child < 0)
        fail("fork", "failed");

    pair.is_peer = child == 0;
    pair.control = sockets[pair.is_peer];
    close(sockets[!pair.is_peer]);
    if (pair.is_peer) {
        /* The peer may spin when its parent is killed. */
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        close(STDIN_FILENO);
    }
    pin_to_core(cores[pair.is_peer]);
    return pair;
}

void pair_send(const struct pair *pair, const void *data, size_t length)
{
    while (length > 0) {
        ssize_t sent = write(pair->control, data, length);
        if (sent <= 0)
            fail("the peer", "exited");
        data = (const char *)data + sent;
        length -= sent;
    }
}

bool pair_receive(const struct pair *pair, void *data, size_t length)
{
    while (length > 0) {
        ssize_t received = read(pair->control, data, length);
        if (received <= 0)
            return false;
        data = (char *)data + received;
        length -= received;
    }
    return true;
}

void pair_begin(const struct pair *pair, size_t warm_up, size_t count)
{
    struct order order = { .warm_up = warm_up, .count = count };

    pair_send(pair, &order, sizeof(order));
}

int pair_answer(const struct pair *pair, void (*answer)(void *owner, size_t count), void *owner)
{
    struct order order;

    while (pair_receive(pair, &order, sizeof(order))) {
        answer(owner, order.warm_up);
        answer(owner, order.count);
    }
    return 0;
}

void pair_close(const struct pair *pair)
{
    close(pair->control);
}

void *pair_exchange(const struct pair *pair, const void *mine, size_t length)
{
    size_t other_length;

    pair_send(pair, &length, sizeof(length));
    pair_send(pair, mine, length);
    if (!pair_receive(pair, &other_length, sizeof(other_length)))
        fail("the peer", "exited");
    void *other = malloc(other_length);
    if (other == NULL || !pair_receive(pair, other, other_length))
        fail("the peer", "exited");
    return other;
}
