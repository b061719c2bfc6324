/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two processes on two cores: one measures, its peer answers. They share a control socket, over
 * which the peer learns of each round; between rounds it blocks there.
 */
#ifndef PAIR_H_
#define PAIR_H_

#include <stdbool.h>
#include <stddef.h>

struct pair {
    bool is_peer;
    int control;
};

/* Splits the process in two and pins both; returns in each. The peer dies with the other one. */
struct pair pair_split(const int cores[2]);

/* Tells the peer of a round. */
void pair_begin(const struct pair *pair, size_t warm_up, size_t count);

/* In the peer: answers rounds until the other one ends; returns the exit code. */
int pair_answer(const struct pair *pair, void (*answer)(void *owner, size_t count), void *owner);

/* Sends bytes to the other side; ends the program when that is gone. */
void pair_send(const struct pair *pair, const void *data, size_t length);

/* Waits for so many bytes of the other side; false when that is gone. */
bool pair_receive(const struct pair *pair, void *data, size_t length);

/* Lets the other side go. */
void pair_close(const struct pair *pair);

/* Gives the other side bytes, and takes its own: they are malloc'ed. */
void *pair_exchange(const struct pair *pair, const void *mine, size_t length);

#endif /* PAIR_H_ */
