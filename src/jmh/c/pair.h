/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two processes on two cores: one measures, its peer answers. A control socket between them
 * announces each round to the peer, which blocks on it between rounds.
 */
#ifndef PAIR_H_
#define PAIR_H_

#include <stdbool.h>
#include <stddef.h>

struct pair {
    bool is_peer;
    int control;
};

/*
 * Forks the peer and pins both processes; returns in each. The peer is killed when its parent
 * exits.
 */
struct pair pair_split(const int cores[2]);

/* Announces a round to the peer. */
void pair_begin(const struct pair *pair, size_t warm_up, size_t count);

/* In the peer: answers rounds until the other process exits; returns the exit code. */
int pair_answer(const struct pair *pair, void (*answer)(void *owner, size_t count), void *owner);

/* Sends bytes to the other process; exits the program if the other process has exited. */
void pair_send(const struct pair *pair, const void *data, size_t length);

/* Receives the given number of bytes; returns false if the other process has exited. */
bool pair_receive(const struct pair *pair, void *data, size_t length);

/* Closes the control socket. */
void pair_close(const struct pair *pair);

/* Exchanges bytes with the other process; returns its bytes, to be released with free(). */
void *pair_exchange(const struct pair *pair, const void *mine, size_t length);

#endif /* PAIR_H_ */
