/* SPDX-License-Identifier: Apache-2.0 */
/* A real urom_worker, started as the service starts it: frames on its standard input and output. */
#ifndef JUROM_WORKER_PROCESS_TEST_H_
#define JUROM_WORKER_PROCESS_TEST_H_

#include <limits.h>
#include <stdint.h>
#include <sys/types.h>

#include <channel/channel.h>
#include <testing/assertions.h>
#include <testing/process.h>
#include <wire/wire.h>

#define START_MS 20000
#define EXIT_MS 10000
#define TICKET_MS 20000 /* lifetime of a ticket, unless a test wants another */

#define GRAPH 1u /* plugin ids as the tests give them out */
#define PUPPET 2u

struct worker_process {
    pid_t pid;
    int input;
    int output;
    char directory[PATH_MAX]; /* its own, holds its socket and its log */
    char log[PATH_MAX];       /* its standard error, unless the next is above 0 */
    int standard_error;
    char socket[PATH_MAX];
    uint8_t bytes[16384]; /* the frame that `answer` points into */
    struct wire_frame answer;
};

/* Whether this run of the test has hosts connect over TCP: the environment has WORKER_OVER_TCP. */
bool worker_is_over_tcp(void);

/* ... and over UCX: it is WORKER_OVER_TCP=ucx. */
bool worker_is_over_ucx(void);

/*
 * Starts the program with `arguments` (NULL ends them, up to 64), which are plugins, and says
 * nothing to it.
 */
void worker_execute(struct worker_process *worker, const char *const arguments[]);

/* What worker_launch says: to listen, and no more. `environment` is where the strings are put. */
#define ENVIRONMENT_MAX 65536
void worker_default_launch(const struct worker_process *worker, struct wire_launch *launch,
        char environment[ENVIRONMENT_MAX]);

/* Adds a variable to what worker_default_launch gave. */
void worker_add_variable(
        struct wire_launch *launch, char environment[ENVIRONMENT_MAX], const char *variable);

/* Both: starts it and writes a LAUNCH frame, with this process's environment. */
void worker_launch(struct worker_process *worker, const char *const arguments[]);

/* Writes a CONFIGURE frame with this maximum message size and the `cpu_set` (NULL: none). */
void worker_configure(
        struct worker_process *worker, uint32_t max_message_size, const uint8_t *cpu_set);

/* Writes a frame. */
void worker_tell(struct worker_process *worker, const struct wire_frame *frame);

/* Reads the one frame that the worker answers with, which must be of this type. */
void worker_expect(struct worker_process *worker, enum wire_type type);

/* Whether it says something within so many milliseconds. */
bool worker_speaks(const struct worker_process *worker, int milliseconds);

/* All of it, with the plugins worker_graph and worker_puppet. */
void worker_start(struct worker_process *worker, uint32_t max_message_size);

/* Gives out a ticket for a session, and says where a host is to connect with it. */
void worker_give_ticket(struct worker_process *worker, uint64_t session, uint32_t lifetime_ms,
        struct channel_ticket *ticket, struct channel_address *address);

/* Where the Unix socket is; the port of loopback. */
void worker_local_address(const struct worker_process *worker, struct channel_address *address);
void worker_tcp_address(uint32_t port, struct channel_address *address);

/* A ticket of random bytes, which no worker knows; as the frame carries it. */
void make_ticket(struct channel_ticket *ticket, uint8_t bytes[WIRE_TICKET_SIZE]);

/* Says that the worker has to leave; it must exit with code 0. */
void worker_stop(struct worker_process *worker);

/* Waits until it has exited with an error. */
void worker_await_failure(struct worker_process *worker);

/* How many descriptors it has open. One that has just started can have one more for a moment. */
unsigned worker_descriptors(const struct worker_process *worker);

/* Whether the log has `text` now; and fails unless it has, now or soon. */
bool worker_has_logged(const struct worker_process *worker, const char *text);
void worker_assert_logged(const struct worker_process *worker, const char *text);

/* Ends it if it still runs, and removes what it left. For tear-down; harmless twice. */
void worker_clean_up(struct worker_process *worker);

#endif /* JUROM_WORKER_PROCESS_TEST_H_ */
