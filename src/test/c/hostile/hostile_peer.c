/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A hostile peer. At `attack N` on standard input, it performs about N attacks chosen by its seed,
 * and prints the outcomes of each kind:
 *
 *     ended ANSWERED CLOSED IGNORED LATE KIND
 *     done
 *
 * Usage: hostile_peer SOCKET PORT KEY_FILE WORKER_ID SEED
 */
#include <attack/intruder.h>
#include <kills/control.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "attacks.h"

#define BATCH 100    /* attacks of one kind */
#define CPU_SHARE 32 /* a peer uses 1/32 of a core, so that it does not compete with its targets */

static const struct kind kinds[] = {
    { "socket, before HELLO", 60, attack_socket_before_hello },
    { "socket, as a host", 150, attack_socket_as_host },
    { "TLS port, without a key", 15, attack_port_without_key },
    { "TLS port, as a host", 5, attack_port_as_host },
    { "tickets at a worker's socket", 60, attack_with_guessed_tickets },
    { "frames through a ring", 310, attack_with_frames },
    { "contents of a ring", 400, attack_ring_contents },
};
#define KINDS (sizeof(kinds) / sizeof(*kinds))

static uint64_t outcomes[KINDS][OUTCOMES];

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

    for (unsigned i = 0; i < OUTCOMES; ++i)
        sum += outcomes[kind][i];
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

/* Sleeps until the CPU time since `used` is at most the share of the time since `begun`. */
static void throttle(uint64_t used, uint64_t begun)
{
    uint64_t until = begun + CPU_SHARE * (clock_ns(CLOCK_PROCESS_CPUTIME_ID) - used);
    uint64_t now = now_ns();

    if (now < until)
        usleep((useconds_t)((until - now) / 1000));
}

static void run_attacks(const struct target *target, uint64_t wanted)
{
    memset(outcomes, 0, sizeof(outcomes));
    while (count_all() < wanted) {
        unsigned kind = draw_kind();
        uint64_t left = wanted - count_all();
        uint64_t used = clock_ns(CLOCK_PROCESS_CPUTIME_ID), begun = now_ns();

        kinds[kind].attack(target, left < BATCH ? (unsigned)left : BATCH, outcomes[kind]);
        throttle(used, begun);
    }
    for (unsigned i = 0; i < KINDS; ++i)
        print_line("ended %lu %lu %lu %lu %s", outcomes[i][OUTCOME_ANSWERED],
                outcomes[i][OUTCOME_CLOSED], outcomes[i][OUTCOME_IGNORED],
                outcomes[i][OUTCOME_LATE], kinds[i].name);
    print_line("done");
}

int main(int argc, char **argv)
{
    struct target target;
    char line[CONTROL_LINE_MAX], why[512];

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
    while (!control_is_closed()) {
        control_wait(-1, 1000);
        while (control_next(line)) {
            if (strncmp(line, "attack ", 7) == 0)
                run_attacks(&target, strtoull(line + 7, NULL, 0));
        }
    }
    channel_identity_free(target.identity);
    return EXIT_SUCCESS;
}
