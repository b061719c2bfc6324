/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The smallest context there can be, on libdoca_common's private interface: it answers start, stop
 * and submit as the test says, and keeps a journal of what its callbacks were told.
 */
#ifndef JUROM_TEST_CONTEXT_H_
#define JUROM_TEST_CONTEXT_H_

#include <common/ctx.h>
#include <common/task.h>
#include <testing/assertions.h>

#define JOURNAL_MAX 64

/* One run of the state-changed callback, or of a task's. */
struct journal_entry {
    enum doca_ctx_states from; /* of a transition */
    enum doca_ctx_states to;
    enum doca_ctx_states seen; /* what doca_ctx_get_state said inside */
    struct test_task *task;    /* of a completion; NULL: a transition */
    doca_error_t status;
    union doca_data task_data;
    union doca_data ctx_data;
};

struct test_context {
    struct doca_ctx ctx;
    doca_error_t start_answer; /* DOCA_SUCCESS unless the test says otherwise */
    doca_error_t stop_answer;
    bool gives_up; /* is IDLE at once when it is stopped while it fails */
    unsigned flushes;
    struct journal_entry journal[JOURNAL_MAX];
    unsigned entries;
    /* Called after each transition has been written down. Optional. */
    void (*on_state)(struct test_context *context, enum doca_ctx_states next);
};

struct test_task {
    struct doca_task base;
    struct test_context *context;
    doca_error_t submit_answer;
    bool complete_in_submit; /* posts its completion before submit returns */
    bool executes;           /* has its status set to execute_status inside progress */
    doca_error_t execute_status;
    unsigned submits;
    unsigned releases; /* releasing does not free: the test owns the memory */
    /* Called after each completion has been written down. Optional. */
    void (*on_completion)(struct test_task *task);
};

/* Makes an idle context; connected when `pe` is not NULL. */
void test_context_init(struct test_context *context, struct doca_pe *pe);

/* Makes an idle task of `context`. */
void test_task_init(struct test_task *task, struct test_context *context);

/* Starts `context` so that it is RUNNING, and empties its journal. */
void test_context_run(struct test_context *context);

/* The same with a task in flight. */
void test_task_submit(struct test_task *task);

/* The state that doca_ctx_get_state gives. */
enum doca_ctx_states state_of(const struct test_context *context);

/* Fails unless the journal's entry number `index` is this transition, seen in its next state. */
void assert_transition(const struct test_context *context, unsigned index,
        enum doca_ctx_states from, enum doca_ctx_states to);

/* Fails unless the journal's entry number `index` is a completion of `task`. */
void assert_completion(const struct test_context *context, unsigned index,
        const struct test_task *task, doca_error_t status);

/* cmocka set-up and teardown: `*state` is a progress engine. Teardown fails if it is in use. */
int engine_set_up(void **state);
int engine_tear_down(void **state);

#endif /* JUROM_TEST_CONTEXT_H_ */
