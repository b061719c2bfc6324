/* SPDX-License-Identifier: Apache-2.0 */
/* A real urom_worker, started as the service starts it: frames on its standard input and output. */
#ifndef JUROM_WORKER_PROCESS_TEST_H_
#define JUROM_WORKER_PROCESS_TEST_H_

#include <limits.h>
#include <stdint.h>
#include <sys/types.h>

#include <testing/assertions.h>
#include <testing/process.h>
#include <wire/wire.h>

#define START_MS 20000
#define EXIT_MS  10000

#define GRAPH  1u /* plugin ids as the tests give them out */
#define PUPPET 2u

struct worker_process {
    pid_t pid;
    int input;
    int output;
    char directory[PATH_MAX]; /* its own, holds its log */
    char log[PATH_MAX];       /* its standard error */
    uint8_t token[WIRE_TOKEN_SIZE];
    uint8_t bytes[16384]; /* the frame that `answer` points into */
    struct wire_frame answer;
    uint8_t address[8192];
};

/* Starts the program with `arguments` (NULL ends them, up to 64) and says nothing to it. */
void worker_launch(struct worker_process *worker, const char *const arguments[]);

/* Writes a CONFIGURE frame with this maximum message size and the `cpu_set` (NULL: none). */
void worker_configure(struct worker_process *worker, uint32_t max_message_size,
        const uint8_t *cpu_set);

/* Reads the one frame that the worker answers with, which must be of this type. */
void worker_expect(struct worker_process *worker, enum wire_type type);

/* All of it, with the plugins worker_graph and worker_puppet. */
void worker_start(struct worker_process *worker, uint32_t max_message_size);

/* Says that the worker has to leave; it must exit with code 0. */
void worker_stop(struct worker_process *worker);

/* Waits until it has exited with an error. */
void worker_await_failure(struct worker_process *worker);

/* Whether the log has `text` now; and fails unless it has, now or soon. */
bool worker_has_logged(const struct worker_process *worker, const char *text);
void worker_assert_logged(const struct worker_process *worker, const char *text);

/* Ends it if it still runs, and removes what it left. For tear-down; harmless twice. */
void worker_clean_up(struct worker_process *worker);

#endif /* JUROM_WORKER_PROCESS_TEST_H_ */
