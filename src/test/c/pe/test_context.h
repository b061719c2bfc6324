/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A minimal context on the private interface of libdoca_common. The test sets the results of start,
 * stop and submit; a journal records the arguments of the callbacks.
 */
#ifndef JUROM_TEST_CONTEXT_H_
#define JUROM_TEST_CONTEXT_H_

#include <common/ctx.h>
#include <common/task.h>
#include <testing/assertions.h>

#define JOURNAL_MAX 64

/* A call of the state-changed callback or of a task's callback. */
struct journal_entry {
    enum doca_ctx_states from; /* of a transition */
    enum doca_ctx_states to;
    enum doca_ctx_states seen; /* result of doca_ctx_get_state in the callback */
    struct test_task *task;    /* of a completion; NULL: a transition */
    doca_error_t status;
    union doca_data task_data;
    union doca_data ctx_data;
};

struct test_context {
    struct doca_ctx ctx;
    doca_error_t start_answer; /* default: DOCA_SUCCESS */
    doca_error_t stop_answer;
    bool idle_on_stop; /* becomes IDLE at once if it is stopped while failing */
    unsigned flushes;
    struct journal_entry journal[JOURNAL_MAX];
    unsigned entries;
    /* Optional; called after a transition has been recorded. */
    void (*on_state)(struct test_context *context, enum doca_ctx_states next);
};

struct test_task {
    struct doca_task base;
    struct test_context *context;
    doca_error_t submit_answer;
    bool complete_in_submit; /* posts its completion before submit returns */
    bool executes;           /* sets its status to execute_status in progress */
    doca_error_t execute_status;
    unsigned submits;
    unsigned releases; /* releasing does not free: the test owns the memory */
    /* Optional; called after a completion has been recorded. */
    void (*on_completion)(struct test_task *task);
};

/* Initializes an idle context, which is connected if `pe` is not NULL. */
void test_context_init(struct test_context *context, struct doca_pe *pe);

/* Initializes an idle task of `context`. */
void test_task_init(struct test_task *task, struct test_context *context);

/* Starts `context`, which is then RUNNING, and clears its journal. */
void test_context_run(struct test_context *context);

/* Submits a task, which must succeed. */
void test_task_submit(struct test_task *task);

/* Returns the result of doca_ctx_get_state. */
enum doca_ctx_states state_of(const struct test_context *context);

/* Fails unless journal entry `index` is this transition, observed in its new state. */
void assert_transition(const struct test_context *context, unsigned index,
        enum doca_ctx_states from, enum doca_ctx_states to);

/* Fails unless journal entry `index` is a completion of `task`. */
void assert_completion(const struct test_context *context, unsigned index,
        const struct test_task *task, doca_error_t status);

/* cmocka setup and teardown: `*state` is a progress engine. Teardown fails if it is in use. */
int engine_set_up(void **state);
int engine_tear_down(void **state);

#endif /* JUROM_TEST_CONTEXT_H_ */
