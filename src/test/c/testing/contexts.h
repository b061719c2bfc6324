/* SPDX-License-Identifier: Apache-2.0 */
/* Service and worker contexts and worker_puppet commands for the tests of libdoca_urom. */
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

#define RUN_MS 20000 /* deadline of operations that take milliseconds on an idle machine */
#define TRANSITIONS_MAX 16

/* Progresses `pe` until `condition` holds, and fails after `milliseconds`. */
#define progress_until(pe, condition, milliseconds) \
    do { \
        uint64_t progress_end_ = deadline_in(milliseconds); \
        unsigned progress_idle_ = 0; \
        while (!(condition)) { \
            if (deadline_has_passed(progress_end_)) \
                fail_msg("not within %d ms: %s", (int)(milliseconds), #condition); \
            if (doca_pe_progress(pe) > 0) \
                progress_idle_ = 0; \
            else \
                give_way_when_idle(&progress_idle_); \
        } \
    } while (0)

/* Progresses until doca_pe_progress returns 1, like an application that waits for one event. */
void progress_to_event(struct doca_pe *pe);

/* The arguments of a state-changed callback. */
struct transition {
    enum doca_ctx_states from;
    enum doca_ctx_states to;
    enum doca_ctx_states seen; /* result of doca_ctx_get_state in the callback */
};

struct transitions {
    struct transition at[TRANSITIONS_MAX];
    unsigned count;
};

struct test_service {
    struct doca_pe *pe; /* owned */
    struct doca_dev *dev;
    struct doca_urom_service *service;
    struct doca_ctx *ctx;
    struct transitions transitions;
};

struct test_worker {
    struct doca_pe *pe; /* not owned */
    struct doca_urom_worker *worker;
    struct doca_ctx *ctx;
    struct transitions transitions;
};

/* A command task and its result. */
struct test_command {
    struct doca_urom_worker_cmd_task *task;
    unsigned completions;
    unsigned order; /* of its last completion among all completions of this thread */
    doca_error_t status;
    /* Optional; called by the completion callback after it has set the fields above. */
    void (*on_completion)(struct test_command *command);
};

/* Opens the device soft0. */
struct doca_dev *open_device(void);

/*
 * service_new creates a service context with its own progress engine and device; service_open also
 * starts it.
 */
void service_new(struct test_service *service);
void service_open(struct test_service *service);

/* Stops and destroys the context, its progress engine and its device. */
void service_close(struct test_service *service);

/* Returns the ID of a plugin of the service. */
uint64_t plugin_id(const struct test_service *service, const char *name);

/*
 * worker_new creates a worker context with one plugin, connected to `pe`; worker_run starts it and
 * waits until it is RUNNING; worker_open does both.
 */
void worker_new(struct test_worker *worker, struct doca_pe *pe, const struct test_service *service,
        const char *plugin);
void worker_run(struct test_worker *worker);
void worker_open(struct test_worker *worker, struct doca_pe *pe, const struct test_service *service,
        const char *plugin);

/* Stops the context if it is not IDLE, progresses until it is, and destroys it. */
void worker_close(struct test_worker *worker);

enum doca_ctx_states state_of(const struct doca_ctx *ctx);
uint64_t id_of(const struct test_worker *worker);

/* Fails unless the transition at `index` has these states. */
void assert_transition(const struct transitions *transitions, unsigned index,
        enum doca_ctx_states from, enum doca_ctx_states to);

/* Allocates a task for a plugin of the worker, with user data and callback. */
void command_new(struct test_command *command, const struct test_worker *worker, uint64_t plugin);

/* Writes a command of worker_puppet, followed by `text` (NULL: none). */
void command_write(struct test_command *command, struct puppet_command what, const char *text);

void command_submit(struct test_command *command);

/* Submits without a flush. */
void command_hold_back(struct test_command *command);

/* Progresses until the task has completed `completions` times; its status must be `status`. */
void command_await(struct test_command *command, struct doca_pe *pe, unsigned completions,
        doca_error_t status);

/* Allocates, writes and submits a command and awaits its success. The caller releases the task. */
void command_run(struct test_command *command, const struct test_worker *worker, uint64_t plugin,
        struct puppet_command what, const char *text);

void command_release(struct test_command *command);

/* Returns the response of worker_puppet, and the length of the text that follows it. */
const struct puppet_notification *answer_of(const struct test_command *command);
size_t text_length(const struct test_command *command);

/*
 * Returns the number of commands that the worker's process has received from all hosts, without the
 * command sent by this function. Progresses only `watcher`.
 */
uint64_t commands_given(const struct test_worker *watcher, uint64_t plugin);

/* Returns the process of the worker. */
pid_t process_of(const struct test_worker *worker, uint64_t plugin);

#endif /* JUROM_TESTING_CONTEXTS_H_ */
