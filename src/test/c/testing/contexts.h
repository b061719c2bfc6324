/* SPDX-License-Identifier: Apache-2.0 */
/* Service and worker contexts, and commands to worker_puppet, as the suites of libdoca_urom use them. */
#ifndef JUROM_TESTING_CONTEXTS_H_
#define JUROM_TESTING_CONTEXTS_H_

#include <stdint.h>
#include <sys/types.h>

#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_pe.h>
#include <doca_urom.h>
#include <plugins_under_test/puppet.h>

#include "assertions.h"

#define RUN_MS 20000 /* for what should take milliseconds, on a loaded machine */
#define TRANSITIONS_MAX 16

/* Progresses `pe` until `condition` holds, and fails when it does not within `milliseconds`. */
#define progress_until(pe, condition, milliseconds) \
    do { \
        uint64_t progress_end_ = deadline_in(milliseconds); \
        while (!(condition)) { \
            if (deadline_has_passed(progress_end_)) \
                fail_msg("not within %d ms: %s", (int)(milliseconds), #condition); \
            doca_pe_progress(pe); \
        } \
    } while (0)

/* Progresses until a call returns 1, as applications do that wait for one thing. */
void progress_to_event(struct doca_pe *pe);

/* What a state-changed callback was told. */
struct transition {
    enum doca_ctx_states from;
    enum doca_ctx_states to;
    enum doca_ctx_states seen; /* what doca_ctx_get_state said inside */
};

struct transitions {
    struct transition at[TRANSITIONS_MAX];
    unsigned count;
};

struct test_service {
    struct doca_pe *pe; /* its own */
    struct doca_dev *dev;
    struct doca_urom_service *service;
    struct doca_ctx *ctx;
    struct transitions transitions;
};

struct test_worker {
    struct doca_pe *pe; /* somebody else's */
    struct doca_urom_worker *worker;
    struct doca_ctx *ctx;
    struct transitions transitions;
};

/* A command task and what came of it. */
struct test_command {
    struct doca_urom_worker_cmd_task *task;
    unsigned completions;
    unsigned order; /* of its last completion among all of this thread */
    doca_error_t status;
    /* Called by its completion callback when all else has been noted. Optional. */
    void (*on_completion)(struct test_command *command);
};

/* The device soft0, opened. */
struct doca_dev *open_device(void);

/* Creates a service context with a progress engine and a device of its own; and starts it, too. */
void service_new(struct test_service *service);
void service_open(struct test_service *service);

/* Stops and destroys it with all that is its own. */
void service_close(struct test_service *service);

/* The id of the service's plugin of this name. */
uint64_t plugin_id(const struct test_service *service, const char *name);

/* Creates a worker context with one plugin, connected to `pe`; and starts it until it is RUNNING. */
void worker_new(struct test_worker *worker, struct doca_pe *pe, const struct test_service *service,
        const char *plugin);
void worker_run(struct test_worker *worker);
void worker_open(struct test_worker *worker, struct doca_pe *pe, const struct test_service *service,
        const char *plugin);

/* Stops it if it is not IDLE, progresses until it is, and destroys it. */
void worker_close(struct test_worker *worker);

enum doca_ctx_states state_of(const struct doca_ctx *ctx);
uint64_t id_of(const struct test_worker *worker);

/* Fails unless transition number `index` was this one. */
void assert_transition(const struct transitions *transitions, unsigned index,
        enum doca_ctx_states from, enum doca_ctx_states to);

/* Allocates a task for the worker's first plugin of `plugins`, with user data and callback. */
void command_new(struct test_command *command, const struct test_worker *worker, uint64_t plugin);

/* Writes what worker_puppet is to do, with `text` (NULL: none) behind it. */
void command_write(struct test_command *command, struct puppet_command what, const char *text);

void command_submit(struct test_command *command);

/* Without a flush. */
void command_hold_back(struct test_command *command);

/* Progresses until it has completed `completions` times; its status must be `status`. */
void command_await(struct test_command *command, struct doca_pe *pe, unsigned completions,
        doca_error_t status);

/* All of these: new, write, submit, await success. Release the task in the end. */
void command_run(struct test_command *command, const struct test_worker *worker, uint64_t plugin,
        struct puppet_command what, const char *text);

void command_release(struct test_command *command);

/* What worker_puppet answered; and the length of the text behind that. */
const struct puppet_notification *answer_of(const struct test_command *command);
size_t text_length(const struct test_command *command);

/*
 * How many commands the worker's process has been given by all of its hosts, this one not counted;
 * only `watcher` is progressed.
 */
uint64_t commands_given(const struct test_worker *watcher, uint64_t plugin);

/* The process that answered. */
pid_t process_of(const struct test_worker *worker, uint64_t plugin);

#endif /* JUROM_TESTING_CONTEXTS_H_ */
