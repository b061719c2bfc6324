/* SPDX-License-Identifier: Apache-2.0 */
/* What is wrong with what a worker is told: tickets, frames, and the memory that it shares. */
#include <attack/scribbles.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "kinds.h"

#define SCRIBBLES 400 /* of one connection */
#define FRAMES 100
#define LOOKS 10
#define BELL_AFTER 20 /* scribbles */

static int session = -1; /* kept: whose references the tickets come from */
static uint64_t graph;

/* Half of the time to a worker of this peer alone, else to one that serves others. */
static uint64_t choose_worker(const struct target *target)
{
    return intruder_random(2) == 0 ? target->neighbour : 0x4000000000000000u + (uint64_t)getpid();
}

/* A ticket of such a worker. False: not now; the session was opened anew, if it had ended. */
static bool get_ticket(const struct target *target, uint64_t *worker, char path[128],
        struct channel_ticket *ticket)
{
    *worker = choose_worker(target);
    if (session < 0)
        session = talk_open_session(target->socket, &graph);
    if (session >= 0 && talk_spawn(session, worker, graph, path, ticket))
        return true;
    if (session >= 0)
        close(session);
    session = -1;
    return false;
}

static bool enter(const struct target *target, struct intruder *intruder, uint64_t *worker)
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

static void leave(struct intruder *intruder, uint64_t worker)
{
    intruder_leave(intruder);
    talk_release(session, worker);
}

void guessed_tickets(const struct target *target, unsigned wanted, uint64_t *endings)
{
    struct channel_ticket ticket;
    uint64_t worker;
    char path[128];

    if (!get_ticket(target, &worker, path, &ticket)) {
        endings[ENDING_LATE] += wanted;
        return;
    }
    for (unsigned i = 0; i < wanted; ++i) {
        uint8_t bytes[2 * WIRE_TICKET_SIZE];
        unsigned frames;
        int fd = talk_unix(path);

        (void)!getrandom(bytes, sizeof(bytes), 0);
        if (i % 2 == 0) /* the right id, and another key */
            memcpy(bytes, ticket.id, sizeof(ticket.id));
        if (fd < 0) {
            ++endings[ENDING_LATE];
            continue;
        }
        talk_send(fd, bytes, WIRE_TICKET_SIZE + intruder_random(WIRE_TICKET_SIZE));
        ++endings[talk_read_to_end(fd, &frames)];
        close(fd);
    }
    talk_release(session, worker);
}

/* A frame that a host may not send, or no frame; the worker answers or ends the connection. */
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
    default: /* a command to a plugin that there is not, or of a length that plugin has not */
        memset(bytes, 0xff, sizeof(bytes));
        wire_put_command(bytes, number, intruder_random(3) == 0 ? graph : 1ull << 60,
                length - WIRE_PREFIX_SIZE);
        intruder_put(intruder, bytes, length);
    }
    return intruder->to_worker.broken == before;
}

/* Notes `count` things after which the connection was, or was not, closed by the worker. */
static void note(struct intruder *intruder, unsigned count, uint64_t *endings)
{
    endings[intruder_was_closed(intruder->socket) ? ENDING_CLOSED : ENDING_IGNORED] += count;
}

/* Gives the worker a moment to look at what it was rung for. */
static void await_look(struct intruder *intruder)
{
    intruder_ring(intruder);
    for (unsigned i = 0; i < LOOKS && !intruder_was_closed(intruder->socket); ++i)
        usleep(200);
}

/* A worker that looks for frames now and then needs a moment to see the last of them. */
static void await_taking(struct intruder *intruder)
{
    struct ring_producer *to = &intruder->to_worker;
    uint64_t late = deadline_in(100);

    while (atomic_load(&to->ring.control->consumed) < to->published
            && !intruder_was_closed(intruder->socket) && !deadline_has_passed(late))
        usleep(100);
}

void frames_through_the_ring(const struct target *target, unsigned wanted, uint64_t *endings)
{
    for (unsigned done = 0; done < wanted;) {
        struct intruder intruder;
        unsigned of_this = 0;
        uint64_t worker;

        if (!enter(target, &intruder, &worker)) {
            endings[ENDING_LATE] += FRAMES;
            done += FRAMES;
            continue;
        }
        while (of_this < FRAMES && put_bad_frame(&intruder, of_this)
                && !intruder_was_closed(intruder.socket))
            ++of_this;
        await_taking(&intruder);
        note(&intruder, of_this + 1, endings);
        leave(&intruder, worker);
        done += of_this + 1;
    }
}

void contents_of_the_ring(const struct target *target, unsigned wanted, uint64_t *endings)
{
    for (unsigned done = 0; done < wanted;) {
        struct intruder intruder;
        unsigned of_this = 0;
        uint64_t worker;

        if (!enter(target, &intruder, &worker)) {
            endings[ENDING_LATE] += SCRIBBLES;
            done += SCRIBBLES;
            continue;
        }
        for (; of_this < SCRIBBLES && !intruder_was_closed(intruder.socket); ++of_this) {
            scribble_all(&intruder);
            if (of_this % 16 == 0)
                put_command(&intruder, of_this + 1);
            if (of_this % BELL_AFTER == 0)
                intruder_ring(&intruder);
        }
        await_look(&intruder);
        note(&intruder, of_this + 1, endings);
        leave(&intruder, worker);
        done += of_this + 1;
    }
}
