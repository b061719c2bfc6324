/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A hostile peer. `attack N` on its standard input has it do about N hostile things, drawn from its
 * seed; then it says, a line a kind, how they ended:
 *
 *     ended ANSWERED CLOSED IGNORED LATE KIND
 *     done
 *
 *     hostile_peer SOCKET PORT KEY_FILE WORKER_ID SEED
 */
#include <attack/intruder.h>
#include <kills/orders.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "kinds.h"

#define AT_ONCE 100 /* of one kind */
#define SHARE \
    32 /* a peer works one such part of the time: what counts is what it makes others do */

static const struct kind kinds[] = {
    { "socket, before HELLO", 60, strangers_at_the_socket },
    { "socket, as a host", 150, hosts_at_the_socket },
    { "TLS port, without a key", 15, strangers_at_the_port },
    { "TLS port, as a host", 5, hosts_at_the_port },
    { "tickets at a worker's socket", 60, guessed_tickets },
    { "frames through a ring", 310, frames_through_the_ring },
    { "contents of a ring", 400, contents_of_the_ring },
};
#define KINDS (sizeof(kinds) / sizeof(*kinds))

static uint64_t endings[KINDS][ENDINGS];

static unsigned draw_kind(void)
{
    uint64_t drawn = intruder_random(1000);
    unsigned kind = 0;

    while (drawn >= kinds[kind].weight)
        drawn -= kinds[kind++].weight;
    return kind;
}

static uint64_t count(unsigned kind)
{
    uint64_t sum = 0;

    for (unsigned i = 0; i < ENDINGS; ++i)
        sum += endings[kind][i];
    return sum;
}

static uint64_t count_all(void)
{
    uint64_t sum = 0;

    for (unsigned kind = 0; kind < KINDS; ++kind)
        sum += count(kind);
    return sum;
}

static uint64_t clock_ns(clockid_t clock)
{
    struct timespec time;

    clock_gettime(clock, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* Until the core that it has used since `used` and `begun` is its share of the time. */
static void rest(uint64_t used, uint64_t begun)
{
    uint64_t until = begun + SHARE * (clock_ns(CLOCK_PROCESS_CPUTIME_ID) - used);
    uint64_t now = now_ns();

    if (now < until)
        usleep((useconds_t)((until - now) / 1000));
}

static void attack(const struct target *target, uint64_t wanted)
{
    memset(endings, 0, sizeof(endings));
    while (count_all() < wanted) {
        unsigned kind = draw_kind();
        uint64_t left = wanted - count_all();
        uint64_t used = clock_ns(CLOCK_PROCESS_CPUTIME_ID), begun = now_ns();

        kinds[kind].attack(target, left < AT_ONCE ? (unsigned)left : AT_ONCE, endings[kind]);
        rest(used, begun);
    }
    for (unsigned i = 0; i < KINDS; ++i)
        say("ended %lu %lu %lu %lu %s", endings[i][ENDING_ANSWERED], endings[i][ENDING_CLOSED],
                endings[i][ENDING_IGNORED], endings[i][ENDING_LATE], kinds[i].name);
    say("done");
}

int main(int argc, char **argv)
{
    struct target target;
    char order[ORDER_MAX], why[512];

    if (argc != 6)
        return EXIT_FAILURE;
    target = (struct target){ .socket = argv[1],
        .port = (unsigned)atoi(argv[2]),
        .key = argv[3],
        .neighbour = strtoull(argv[4], NULL, 0) };
    intruder_seed(strtoull(argv[5], NULL, 0));
    if (channel_identity_read(target.key, &target.identity, why, sizeof(why)) != DOCA_SUCCESS) {
        fprintf(stderr, "%s\n", why);
        return EXIT_FAILURE;
    }
    while (!orders_have_ended()) {
        orders_sleep(-1, 1000);
        while (orders_next(order)) {
            if (strncmp(order, "attack ", 7) == 0)
                attack(&target, strtoull(order + 7, NULL, 0));
        }
    }
    channel_identity_free(target.identity);
    return EXIT_SUCCESS;
}
