/* SPDX-License-Identifier: Apache-2.0 */
#include "test_context.h"

static struct test_context *from_ctx(struct doca_ctx *ctx)
{
    return CONTAINER_OF(ctx, struct test_context, ctx);
}

static struct test_task *from_base(struct doca_task *base)
{
    return CONTAINER_OF(base, struct test_task, base);
}

static struct journal_entry *write_entry(struct test_context *context)
{
    assert_true(context->entries < JOURNAL_MAX);
    return &context->journal[context->entries++];
}

static doca_error_t start_context(struct doca_ctx *ctx)
{
    return from_ctx(ctx)->start_answer;
}

static doca_error_t stop_context(struct doca_ctx *ctx)
{
    return from_ctx(ctx)->stop_answer;
}

static bool give_up(struct doca_ctx *ctx)
{
    return from_ctx(ctx)->idle_on_stop;
}

static void flush(struct doca_ctx *ctx)
{
    ++from_ctx(ctx)->flushes;
}

static const struct ctx_operations ctx_operations = {
    .name = "test context",
    .start = start_context,
    .stop = stop_context,
    .give_up = give_up,
    .flush = flush,
};

static void state_changed(const union doca_data user_data, struct doca_ctx *ctx,
        enum doca_ctx_states previous, enum doca_ctx_states next)
{
    struct test_context *context = from_ctx(ctx);

    *write_entry(context) = (struct journal_entry){
        .from = previous,
        .to = next,
        .seen = state_of(context),
        .ctx_data = user_data,
    };
    if (context->on_state != NULL)
        context->on_state(context, next);
}

static doca_error_t submit(struct doca_task *base, uint32_t flags)
{
    struct test_task *task = from_base(base);

    (void)flags;
    ++task->submits;
    if (task->submit_answer == DOCA_SUCCESS && task->complete_in_submit)
        priv_doca_task_complete(base, DOCA_SUCCESS);
    return task->submit_answer;
}

static void execute(struct doca_task *base)
{
    struct test_task *task = from_base(base);

    if (task->executes)
        base->status = task->execute_status;
}

static void call_back(struct doca_task *base, union doca_data task_data, union doca_data ctx_data)
{
    struct test_task *task = from_base(base);

    *write_entry(task->context) = (struct journal_entry){
        .task = task,
        .status = doca_task_get_status(base),
        .task_data = task_data,
        .ctx_data = ctx_data,
    };
    if (task->on_completion != NULL)
        task->on_completion(task);
}

static void release(struct doca_task *base)
{
    ++from_base(base)->releases;
}

static const struct task_operations task_operations = {
    .submit = submit,
    .execute = execute,
    .call_back = call_back,
    .release = release,
};

void test_context_init(struct test_context *context, struct doca_pe *pe)
{
    *context = (struct test_context){ .start_answer = DOCA_SUCCESS };
    priv_doca_ctx_init(&context->ctx, &ctx_operations);
    assert_success(doca_ctx_set_state_changed_cb(&context->ctx, state_changed));
    if (pe != NULL)
        assert_success(doca_pe_connect_ctx(pe, &context->ctx));
}

void test_task_init(struct test_task *task, struct test_context *context)
{
    *task = (struct test_task){ .context = context };
    priv_doca_task_init(&task->base, &context->ctx, &task_operations);
}

void test_context_run(struct test_context *context)
{
    assert_success(doca_ctx_start(&context->ctx));
    context->entries = 0;
}

void test_task_submit(struct test_task *task)
{
    assert_success(doca_task_submit(&task->base));
}

enum doca_ctx_states state_of(const struct test_context *context)
{
    enum doca_ctx_states state;

    assert_success(doca_ctx_get_state(&context->ctx, &state));
    return state;
}

void assert_transition(const struct test_context *context, unsigned index,
        enum doca_ctx_states from, enum doca_ctx_states to)
{
    const struct journal_entry *entry = &context->journal[index];

    assert_true(index < context->entries);
    assert_null(entry->task);
    assert_int_equal(from, entry->from);
    assert_int_equal(to, entry->to);
    assert_int_equal(to, entry->seen);
}

void assert_completion(const struct test_context *context, unsigned index,
        const struct test_task *task, doca_error_t status)
{
    assert_true(index < context->entries);
    assert_ptr_equal(task, context->journal[index].task);
    assert_int_equal(status, context->journal[index].status);
}

int engine_set_up(void **state)
{
    return doca_pe_create((struct doca_pe **)state);
}

int engine_tear_down(void **state)
{
    return doca_pe_destroy(*state);
}
