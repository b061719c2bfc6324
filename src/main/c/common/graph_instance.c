/* SPDX-License-Identifier: Apache-2.0 */
/* Instances of a graph: the data of each node. They do not change while they run. */
#include "graph.h"

#include <stdlib.h>

#include "sdk_log.h"

SDK_LOG_REGISTER(DOCA::GRAPH)

doca_error_t doca_graph_instance_create(
        const struct doca_graph *graph, struct doca_graph_instance **graph_instance)
{
    struct doca_graph *owner = (struct doca_graph *)graph; /* only its instance count changes */
    struct doca_graph_instance *created;
    uint32_t i;

    if (graph == NULL || graph_instance == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (!graph->started)
        return DOCA_ERROR_BAD_STATE;
    if (graph->instances_count == graph->instances_max) {
        SDK_LOG_DBG("The graph already has its maximum of %u instances", graph->instances_max);
        return DOCA_ERROR_NO_MEMORY;
    }
    created = calloc(1, sizeof(*created) + graph->nodes_count * sizeof(created->steps[0]));
    if (created == NULL)
        return DOCA_ERROR_NO_MEMORY;

    created->graph = owner;
    for (i = 0; i < graph->nodes_count; ++i) {
        created->steps[i].instance = created;
        created->steps[i].node = graph->nodes[i];
    }
    owner->instances_count++;
    *graph_instance = created;
    return DOCA_SUCCESS;
}

static void replace_sub_instance(struct graph_step *step, struct doca_graph_instance *sub_instance)
{
    if (step->sub_instance != NULL)
        step->sub_instance->uses--;
    if (sub_instance != NULL)
        sub_instance->uses++;
    step->sub_instance = sub_instance;
}

doca_error_t doca_graph_instance_destroy(struct doca_graph_instance *graph_instance)
{
    uint32_t i;

    if (graph_instance == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (graph_instance->inflight)
        return DOCA_ERROR_IN_USE;
    if (graph_instance->uses > 0) {
        SDK_LOG_DBG("%u nodes of other instances use the graph instance: destroy those first",
                graph_instance->uses);
        return DOCA_ERROR_IN_USE;
    }

    for (i = 0; i < graph_instance->graph->nodes_count; ++i)
        replace_sub_instance(&graph_instance->steps[i], NULL);
    graph_instance->graph->instances_count--;
    free(graph_instance);
    return DOCA_SUCCESS;
}

doca_error_t doca_graph_instance_set_user_data(
        struct doca_graph_instance *graph_instance, union doca_data user_data)
{
    if (graph_instance == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (graph_instance->inflight)
        return DOCA_ERROR_IN_USE;

    graph_instance->user_data = user_data;
    return DOCA_SUCCESS;
}

doca_error_t doca_graph_instance_get_user_data(
        const struct doca_graph_instance *graph_instance, union doca_data *user_data)
{
    if (graph_instance == NULL || user_data == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    *user_data = graph_instance->user_data;
    return DOCA_SUCCESS;
}

/* Returns SUCCESS if `node` is of that kind and the instance is not running. */
static doca_error_t check_step(const struct doca_graph_instance *instance,
        const struct doca_graph_node *node, enum graph_node_kind kind)
{
    if (instance == NULL || node == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (node->graph != instance->graph)
        return DOCA_ERROR_NOT_PERMITTED;
    if (node->kind != kind)
        return DOCA_ERROR_INVALID_VALUE;
    return instance->inflight ? DOCA_ERROR_BAD_STATE : DOCA_SUCCESS;
}

doca_error_t doca_graph_instance_set_ctx_node_data(struct doca_graph_instance *graph_instance,
        struct doca_graph_node *node, struct doca_task *task)
{
    doca_error_t status = check_step(graph_instance, node, GRAPH_NODE_CTX);

    if (status != DOCA_SUCCESS)
        return status;
    if (task == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (task->ctx != node->ctx)
        return DOCA_ERROR_NOT_PERMITTED;

    graph_instance->steps[node->index].task = task;
    return DOCA_SUCCESS;
}

doca_error_t doca_graph_instance_set_user_node_data(
        struct doca_graph_instance *graph_instance, struct doca_graph_node *node, void *cookie)
{
    doca_error_t status = check_step(graph_instance, node, GRAPH_NODE_USER);

    if (status != DOCA_SUCCESS)
        return status;

    graph_instance->steps[node->index].cookie = cookie;
    return DOCA_SUCCESS;
}

doca_error_t doca_graph_instance_set_sub_graph_node_data(struct doca_graph_instance *graph_instance,
        struct doca_graph_node *node, struct doca_graph_instance *sub_graph_instance)
{
    doca_error_t status = check_step(graph_instance, node, GRAPH_NODE_SUB_GRAPH);

    if (status != DOCA_SUCCESS)
        return status;
    if (sub_graph_instance == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (sub_graph_instance->graph != node->sub_graph)
        return DOCA_ERROR_NOT_PERMITTED;

    replace_sub_instance(&graph_instance->steps[node->index], sub_graph_instance);
    return DOCA_SUCCESS;
}
