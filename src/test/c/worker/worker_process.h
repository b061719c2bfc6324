/* SPDX-License-Identifier: Apache-2.0 */
/* A urom_worker started as by the service, with frames on its standard input and output. */
#ifndef JUROM_WORKER_PROCESS_TEST_H_
#define JUROM_WORKER_PROCESS_TEST_H_

#include <limits.h>
#include <stdint.h>
#include <sys/types.h>

#include <channel/channel.h>
#include <testing/assertions.h>
#include <testing/process.h>
#include <wire/any_frame.h>
#include <wire/wire.h>

#include "monitor_client.h"

#define START_MS 20000
#define EXIT_MS 10000
#define TICKET_MS 20000 /* default lifetime of a ticket */

#define GRAPH 1u /* plugin ids assigned by the tests */
#define PUPPET 2u

struct worker_process {
    struct monitor_client monitor; /* its own launcher */
    pid_t pid;
    int input;
    int output;
    char directory[PATH_MAX]; /* contains its socket and log */
    char log[PATH_MAX];       /* its standard error, unless the next field is positive */
    int standard_error;
    char socket[PATH_MAX];
    uint8_t bytes[16384]; /* the frame that `answer` points into */
    struct wire_frame answer;
};

/* Returns whether hosts connect over TCP: the environment has WORKER_OVER_TCP. */
bool worker_is_over_tcp(void);

/* Returns whether hosts use UCX: WORKER_OVER_TCP=ucx. */
bool worker_is_over_ucx(void);

/*
 * Starts a launcher, and by it a worker with these plugins, terminated by NULL. Does not send any
 * frame.
 */
void worker_execute(struct worker_process *worker, const char *const plugins[]);

/* Returns the LAUNCH frame of worker_launch. `environment` receives the strings. */
#define ENVIRONMENT_MAX 65536
void worker_default_launch(const struct worker_process *worker, struct wire_launch *launch,
        char environment[ENVIRONMENT_MAX]);

/* Adds a variable to the frame of worker_default_launch. */
void worker_add_variable(
        struct wire_launch *launch, char environment[ENVIRONMENT_MAX], const char *variable);

/* Starts the program and sends LAUNCH with the environment of this process. */
void worker_launch(struct worker_process *worker, const char *const arguments[]);

/* Writes a CONFIGURE frame with this maximum message size and the `cpu_set` (NULL: none). */
void worker_configure(
        struct worker_process *worker, uint32_t max_message_size, const uint8_t *cpu_set);

/* Writes a frame. */
void worker_tell(struct worker_process *worker, const struct wire_frame *frame);

/* Reads the next frame of the worker, which must have this type. */
void worker_expect(struct worker_process *worker, enum wire_type type);

/* Returns whether it sends data within a time. */
bool worker_speaks(const struct worker_process *worker, int milliseconds);

/* Launches and configures a worker with the plugins worker_graph and worker_puppet. */
void worker_start(struct worker_process *worker, uint32_t max_message_size);

/* Issues a ticket for a session, and determines the address to connect to. */
void worker_give_ticket(struct worker_process *worker, uint64_t session, uint32_t lifetime_ms,
        struct channel_ticket *ticket, struct channel_address *address);

/* Return the address of the Unix socket, and of a port of loopback. */
void worker_local_address(const struct worker_process *worker, struct channel_address *address);
void worker_tcp_address(uint32_t port, struct channel_address *address);

/* Creates a random ticket that no worker has, also in the encoding of frames. */
void make_ticket(struct channel_ticket *ticket, uint8_t bytes[WIRE_TICKET_SIZE]);

/* Returns the exit code, or 128 plus the signal, of the worker, which must exit in time. */
unsigned worker_await_exit(struct worker_process *worker, int milliseconds);

/* Requests the end of the worker, which must exit with code 0. */
void worker_stop(struct worker_process *worker);

/* Waits until it has exited with an error. */
void worker_await_failure(struct worker_process *worker);

/* Returns its number of open descriptors, which is temporarily higher by one after the start. */
unsigned worker_descriptors(const struct worker_process *worker);

/* Returns whether the log contains `text`; waits until it does, or fails. */
bool worker_has_logged(const struct worker_process *worker, const char *text);
void worker_assert_logged(const struct worker_process *worker, const char *text);

/* Ends it if it runs, and removes its files. For tear-down; idempotent. */
void worker_clean_up(struct worker_process *worker);

#endif /* JUROM_WORKER_PROCESS_TEST_H_ */
