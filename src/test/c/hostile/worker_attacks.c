/* SPDX-License-Identifier: Apache-2.0 */
/* Attacks on a worker: guessed tickets, invalid frames, and corrupted shared memory. */
#include <attack/scribbles.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "attacks.h"

#define SCRIBBLES 400 /* of one connection */
#define FRAMES 100
#define POLLS 10
#define DOORBELL_INTERVAL 20 /* scribbles between two doorbells */

static int session = -1; /* stays open: it holds the references of the tickets */
static uint64_t graph;

/* Chooses a worker of this peer or one that serves other hosts, with equal probability. */
static uint64_t choose_worker(const struct target *target)
{
    return intruder_random(2) == 0 ? target->neighbour : 0x4000000000000000u + (uint64_t)getpid();
}

/* Requests a ticket of such a worker. If this fails, the next call opens a new session. */
static bool get_ticket(const struct target *target, uint64_t *worker, char path[128],
        struct channel_ticket *ticket)
{
    *worker = choose_worker(target);
    if (session < 0)
        session = session_open(target->socket, &graph);
    if (session >= 0 && session_spawn(session, worker, graph, path, ticket))
        return true;
    if (session >= 0)
        close(session);
    session = -1;
    return false;
}

static bool attach(const struct target *target, struct intruder *intruder, uint64_t *worker)
{
    struct channel_ticket ticket;
    char path[128];

    if (!get_ticket(target, worker, path, &ticket))
        return false;
    intruder_enter_with(intruder, path, &ticket);
    intruder_put_frame(intruder,
            &(struct wire_frame){ .type = WIRE_ATTACH, .request_id = 1, .attach.max_tasks = 1024 });
    return true;
}

static void detach(struct intruder *intruder, uint64_t worker)
{
    intruder_leave(intruder);
    session_release(session, worker);
}

void attack_with_guessed_tickets(const struct target *target, unsigned wanted, uint64_t *outcomes)
{
    struct channel_ticket ticket;
    uint64_t worker;
    char path[128];

    if (!get_ticket(target, &worker, path, &ticket)) {
        outcomes[OUTCOME_LATE] += wanted;
        return;
    }
    for (unsigned i = 0; i < wanted; ++i) {
        uint8_t bytes[2 * WIRE_TICKET_SIZE];
        unsigned frames;
        int fd = session_unix(path);

        (void)!getrandom(bytes, sizeof(bytes), 0);
        if (i % 2 == 0) /* the right ID with another key */
            memcpy(bytes, ticket.id, sizeof(ticket.id));
        if (fd < 0) {
            ++outcomes[OUTCOME_LATE];
            continue;
        }
        session_send(fd, bytes, WIRE_TICKET_SIZE + intruder_random(WIRE_TICKET_SIZE));
        ++outcomes[session_read_to_end(fd, &frames)];
        close(fd);
    }
    session_release(session, worker);
}

/* Sends an invalid or malformed frame. Returns false if the ring is broken. */
static bool put_bad_frame(struct intruder *intruder, unsigned number)
{
    uint8_t bytes[512];
    size_t length = WIRE_PREFIX_SIZE + intruder_random(sizeof(bytes) - WIRE_PREFIX_SIZE);
    unsigned before = intruder->to_worker.broken;

    switch (intruder_random(8)) {
    case 0:
        put_almost_a_command(intruder, number);
        break;
    case 1: /* not a frame */
        for (size_t i = 0; i < length; ++i)
            bytes[i] = (uint8_t)intruder_random(256);
        intruder_put(intruder, bytes, length);
        break;
    default: /* a command for an unknown plugin, or of a wrong length */
        memset(bytes, 0xff, sizeof(bytes));
        wire_put_command(bytes, number, intruder_random(3) == 0 ? graph : 1ull << 60,
                length - WIRE_PREFIX_SIZE);
        intruder_put(intruder, bytes, length);
    }
    return intruder->to_worker.broken == before;
}

/* Counts `count` attacks as closed or ignored, depending on the state of the connection. */
static void note(struct intruder *intruder, unsigned count, uint64_t *outcomes)
{
    outcomes[intruder_was_closed(intruder->socket) ? OUTCOME_CLOSED : OUTCOME_IGNORED] += count;
}

/* Rings the doorbell and gives the worker time to poll the ring. */
static void await_poll(struct intruder *intruder)
{
    intruder_ring(intruder);
    for (unsigned i = 0; i < POLLS && !intruder_was_closed(intruder->socket); ++i)
        usleep(200);
}

/* Waits until the worker, which polls in intervals, has consumed the last frame. */
static void await_consumption(struct intruder *intruder)
{
    struct ring_producer *to = &intruder->to_worker;
    uint64_t late = deadline_in(100);

    while (atomic_load(&to->ring.control->consumed) < to->published
            && !intruder_was_closed(intruder->socket) && !deadline_has_passed(late))
        usleep(100);
}

void attack_with_frames(const struct target *target, unsigned wanted, uint64_t *outcomes)
{
    for (unsigned done = 0; done < wanted;) {
        struct intruder intruder;
        unsigned of_this = 0;
        uint64_t worker;

        if (!attach(target, &intruder, &worker)) {
            outcomes[OUTCOME_LATE] += FRAMES;
            done += FRAMES;
            continue;
        }
        while (of_this < FRAMES && put_bad_frame(&intruder, of_this)
                && !intruder_was_closed(intruder.socket))
            ++of_this;
        await_consumption(&intruder);
        note(&intruder, of_this + 1, outcomes);
        detach(&intruder, worker);
        done += of_this + 1;
    }
}

void attack_ring_contents(const struct target *target, unsigned wanted, uint64_t *outcomes)
{
    for (unsigned done = 0; done < wanted;) {
        struct intruder intruder;
        unsigned of_this = 0;
        uint64_t worker;

        if (!attach(target, &intruder, &worker)) {
            outcomes[OUTCOME_LATE] += SCRIBBLES;
            done += SCRIBBLES;
            continue;
        }
        for (; of_this < SCRIBBLES && !intruder_was_closed(intruder.socket); ++of_this) {
            scribble_all(&intruder);
            if (of_this % 16 == 0)
                put_command(&intruder, of_this + 1);
            if (of_this % DOORBELL_INTERVAL == 0)
                intruder_ring(&intruder);
        }
        await_poll(&intruder);
        note(&intruder, of_this + 1, outcomes);
        detach(&intruder, worker);
        done += of_this + 1;
    }
}
