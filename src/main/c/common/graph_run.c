/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs an instance. A step whose predecessors are done is a silent event of the engine; the
 * completion of the instance is a counted event. After a failure, no further step starts; the
 * instance completes when the running steps are done.
 */
#include "graph.h"

#include "sdk_log.h"

SDK_LOG_REGISTER(DOCA::GRAPH)

static void finish_step(struct graph_step *step, doca_error_t status);
static doca_error_t begin_run(struct doca_graph_instance *instance, struct graph_step *parent);

/* Completion of a step's task, instead of the task's own callback. */
static void finish_task(struct doca_task *task, void *argument)
{
    task->observer = NULL;
    task->completion.silent = false;
    finish_step(argument, task->status);
}

static void run_task(struct graph_step *step)
{
    struct doca_task *task = step->task;
    doca_error_t status;

    if (task->inflight) { /* submitted elsewhere: its observer must not be replaced */
        finish_step(step, DOCA_ERROR_BAD_STATE);
        return;
    }
    task->observer = finish_task;
    task->observer_argument = step;
    task->completion.silent = true;
    status = doca_task_submit(task);
    if (status != DOCA_SUCCESS) {
        task->observer = NULL;
        task->completion.silent = false;
        finish_step(step, status);
    }
}

static void run_sub_instance(struct graph_step *step)
{
    doca_error_t status = begin_run(step->sub_instance, step);

    if (status != DOCA_SUCCESS)
        finish_step(step, status);
}

static void run_step(struct pe_event *event)
{
    struct graph_step *step = CONTAINER_OF(event, struct graph_step, event);

    if (step->instance->status != DOCA_SUCCESS)
        finish_step(step, DOCA_SUCCESS); /* another step failed: skip this one */
    else if (step->node->kind == GRAPH_NODE_CTX)
        run_task(step);
    else if (step->node->kind == GRAPH_NODE_USER)
        finish_step(step, step->node->user(step->cookie));
    else
        run_sub_instance(step);
}

static void queue_step(struct graph_step *step)
{
    step->event.run = run_step;
    step->event.silent = true;
    step->instance->open_steps++;
    priv_doca_pe_post(step->instance->graph->pe, &step->event);
}

/* The callback may submit the instance again, or destroy it. */
static void run_completion(struct pe_event *event)
{
    struct doca_graph_instance *instance = CONTAINER_OF(
            event, struct doca_graph_instance, completion);
    const struct doca_graph *graph = instance->graph;

    instance->inflight = false;
    if (instance->status == DOCA_SUCCESS)
        graph->completed(instance, instance->user_data, graph->user_data);
    else
        graph->failed(instance, instance->user_data, graph->user_data);
}

static void finish_instance(struct doca_graph_instance *instance)
{
    if (instance->parent != NULL) {
        instance->inflight = false;
        finish_step(instance->parent, instance->status);
        return;
    }
    instance->completion.run = run_completion;
    priv_doca_pe_post(instance->graph->pe, &instance->completion);
}

static void finish_step(struct graph_step *step, doca_error_t status)
{
    struct doca_graph_instance *instance = step->instance;
    struct graph_step *next;
    uint32_t i;

    if (status != DOCA_SUCCESS)
        SDK_LOG_DBG("Node %u of a graph instance failed: %s", step->node->index,
                doca_error_get_descr(status));
    DOCA_ERROR_PROPAGATE(instance->status, status);
    for (i = 0; i < step->node->successors_count && instance->status == DOCA_SUCCESS; ++i) {
        next = &instance->steps[step->node->successors[i]->index];
        if (--next->waits_for == 0)
            queue_step(next);
    }
    if (--instance->open_steps == 0)
        finish_instance(instance);
}

/* Returns SUCCESS if every node has its data. INVALID_VALUE: one has none. */
static doca_error_t check_data(const struct doca_graph_instance *instance)
{
    const struct graph_step *step;
    uint32_t i;

    for (i = 0; i < instance->graph->nodes_count; ++i) {
        step = &instance->steps[i];
        if ((step->node->kind == GRAPH_NODE_CTX && step->task == NULL)
                || (step->node->kind == GRAPH_NODE_SUB_GRAPH && step->sub_instance == NULL)) {
            SDK_LOG_DBG("Node %u of the graph instance has no data: set its task or "
                        "sub-graph instance",
                    i);
            return DOCA_ERROR_INVALID_VALUE;
        }
    }
    return DOCA_SUCCESS;
}

/* Starts a run: for the application, or for the step `parent`. IN_USE: already running. */
static doca_error_t begin_run(struct doca_graph_instance *instance, struct graph_step *parent)
{
    doca_error_t status = check_data(instance);
    uint32_t i;

    if (status != DOCA_SUCCESS)
        return status;
    if (instance->inflight)
        return DOCA_ERROR_IN_USE;

    instance->inflight = true;
    instance->status = DOCA_SUCCESS;
    instance->parent = parent;
    instance->open_steps = 0;
    for (i = 0; i < instance->graph->nodes_count; ++i)
        instance->steps[i].waits_for = instance->steps[i].node->predecessors_count;
    for (i = 0; i < instance->graph->nodes_count; ++i)
        if (instance->steps[i].node->predecessors_count == 0)
            queue_step(&instance->steps[i]);
    return DOCA_SUCCESS;
}

doca_error_t doca_graph_instance_submit(struct doca_graph_instance *graph_instance)
{
    if (graph_instance == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    return begin_run(graph_instance, NULL);
}
