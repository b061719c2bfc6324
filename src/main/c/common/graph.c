/* SPDX-License-Identifier: Apache-2.0 */
/* Creation, configuration, start and stop of a graph. */
#include "graph.h"

#include <stdlib.h>

#include "sdk_log.h"

SDK_LOG_REGISTER(DOCA::GRAPH)

doca_error_t doca_graph_create(struct doca_pe *pe, struct doca_graph **graph)
{
    struct doca_graph *created;

    if (pe == NULL || graph == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    created = calloc(1, sizeof(*created));
    if (created == NULL)
        return DOCA_ERROR_NO_MEMORY;

    created->pe = pe;
    *graph = created;
    return DOCA_SUCCESS;
}

doca_error_t doca_graph_destroy(struct doca_graph *graph)
{
    uint32_t i;

    if (graph == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (graph->started)
        return DOCA_ERROR_BAD_STATE;
    if (graph->parents > 0) {
        SDK_LOG_DBG("The graph is a node of %u other graphs: destroy them first", graph->parents);
        return DOCA_ERROR_IN_USE;
    }

    for (i = 0; i < graph->nodes_count; ++i) {
        if (graph->nodes[i]->kind == GRAPH_NODE_SUB_GRAPH)
            graph->nodes[i]->sub_graph->parents--;
        free(graph->nodes[i]->successors);
        free(graph->nodes[i]);
    }
    free(graph->nodes);
    free(graph);
    return DOCA_SUCCESS;
}

doca_error_t doca_graph_set_conf(struct doca_graph *graph,
        doca_graph_completion_cb_t graph_completion_cb, doca_graph_completion_cb_t graph_error_cb,
        uint32_t num_instances)
{
    if (graph == NULL || graph_completion_cb == NULL || graph_error_cb == NULL
            || num_instances == 0)
        return DOCA_ERROR_INVALID_VALUE;
    if (graph->started)
        return DOCA_ERROR_BAD_STATE;

    graph->completed = graph_completion_cb;
    graph->failed = graph_error_cb;
    graph->instances_max = num_instances;
    return DOCA_SUCCESS;
}

doca_error_t doca_graph_set_user_data(struct doca_graph *graph, union doca_data user_data)
{
    if (graph == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (graph->started)
        return DOCA_ERROR_BAD_STATE;

    graph->user_data = user_data;
    return DOCA_SUCCESS;
}

doca_error_t doca_graph_get_user_data(const struct doca_graph *graph, union doca_data *user_data)
{
    if (graph == NULL || user_data == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    *user_data = graph->user_data;
    return DOCA_SUCCESS;
}

/* Returns whether the graph or one of its sub-graphs has a context node. */
static bool has_context(const struct doca_graph *graph)
{
    const struct doca_graph_node *node;
    uint32_t i;

    for (i = 0; i < graph->nodes_count; ++i) {
        node = graph->nodes[i];
        if (node->kind == GRAPH_NODE_CTX
                || (node->kind == GRAPH_NODE_SUB_GRAPH && has_context(node->sub_graph)))
            return true;
    }
    return false;
}

static doca_error_t check_nodes(const struct doca_graph *graph)
{
    const struct doca_graph_node *node;
    uint32_t i;

    for (i = 0; i < graph->nodes_count; ++i) {
        node = graph->nodes[i];
        if (node->kind == GRAPH_NODE_CTX && node->ctx->pe != graph->pe) {
            SDK_LOG_ERR("The graph was not started: the %s of node %u is not connected to the "
                        "graph's progress engine",
                    node->ctx->operations->name, i);
            return DOCA_ERROR_NOT_CONNECTED;
        }
        if (node->kind == GRAPH_NODE_SUB_GRAPH && !node->sub_graph->started) {
            SDK_LOG_ERR("The graph was not started: start the graph of node %u first", i);
            return DOCA_ERROR_BAD_STATE;
        }
    }
    return DOCA_SUCCESS;
}

doca_error_t doca_graph_start(struct doca_graph *graph)
{
    doca_error_t status;
    uint32_t i;

    if (graph == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (graph->started)
        return DOCA_ERROR_BAD_STATE;
    if (graph->completed == NULL) {
        SDK_LOG_ERR("The graph was not started: call doca_graph_set_conf first");
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (!has_context(graph)) {
        SDK_LOG_ERR("The graph was not started: it has no context node");
        return DOCA_ERROR_BAD_STATE;
    }
    status = check_nodes(graph);
    if (status != DOCA_SUCCESS)
        return status;

    for (i = 0; i < graph->nodes_count; ++i)
        if (graph->nodes[i]->kind == GRAPH_NODE_SUB_GRAPH)
            graph->nodes[i]->sub_graph->started_parents++;
    graph->started = true;
    return DOCA_SUCCESS;
}

doca_error_t doca_graph_stop(struct doca_graph *graph)
{
    uint32_t i;

    if (graph == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (!graph->started)
        return DOCA_ERROR_BAD_STATE;
    if (graph->instances_count > 0 || graph->started_parents > 0) {
        SDK_LOG_DBG("The graph has %u instances and is a node of %u started graphs: destroy the "
                    "instances and stop those graphs first",
                graph->instances_count, graph->started_parents);
        return DOCA_ERROR_IN_USE;
    }

    for (i = 0; i < graph->nodes_count; ++i)
        if (graph->nodes[i]->kind == GRAPH_NODE_SUB_GRAPH)
            graph->nodes[i]->sub_graph->started_parents--;
    graph->started = false;
    return DOCA_SUCCESS;
}
