/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes of a graph and their dependencies. */
#include "graph.h"

#include <stdlib.h>

#include "sdk_log.h"

SDK_LOG_REGISTER(DOCA::GRAPH)

/* Returns whether `graph` is `target` or contains it, directly or through sub-graphs. */
static bool contains(const struct doca_graph *graph, const struct doca_graph *target)
{
    uint32_t i;

    if (graph == target)
        return true;
    for (i = 0; i < graph->nodes_count; ++i)
        if (graph->nodes[i]->kind == GRAPH_NODE_SUB_GRAPH
                && contains(graph->nodes[i]->sub_graph, target))
            return true;
    return false;
}

/* Adds a copy of `model` to a stopped graph. */
static doca_error_t add_node(struct doca_graph *graph, const struct doca_graph_node *model,
        struct doca_graph_node **node)
{
    struct doca_graph_node **nodes, *added;

    if (graph->started)
        return DOCA_ERROR_BAD_STATE;
    nodes = reallocarray(graph->nodes, graph->nodes_count + 1, sizeof(*nodes));
    if (nodes == NULL)
        return DOCA_ERROR_NO_MEMORY;
    graph->nodes = nodes;
    added = malloc(sizeof(*added));
    if (added == NULL)
        return DOCA_ERROR_NO_MEMORY;

    *added = *model;
    added->graph = graph;
    added->index = graph->nodes_count;
    graph->nodes[graph->nodes_count++] = added;
    *node = added;
    return DOCA_SUCCESS;
}

doca_error_t doca_graph_node_create_from_ctx(
        struct doca_graph *graph, const struct doca_ctx *ctx, struct doca_graph_node **node)
{
    const struct doca_graph_node model = { .kind = GRAPH_NODE_CTX, .ctx = ctx };

    if (graph == NULL || ctx == NULL || node == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    return add_node(graph, &model, node);
}

doca_error_t doca_graph_node_create_from_user(
        struct doca_graph *graph, doca_graph_user_node_cb_t cb, struct doca_graph_node **node)
{
    const struct doca_graph_node model = { .kind = GRAPH_NODE_USER, .user = cb };

    if (graph == NULL || cb == NULL || node == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    return add_node(graph, &model, node);
}

doca_error_t doca_graph_node_create_from_graph(
        struct doca_graph *graph, struct doca_graph *sub_graph, struct doca_graph_node **node)
{
    const struct doca_graph_node model = { .kind = GRAPH_NODE_SUB_GRAPH, .sub_graph = sub_graph };
    doca_error_t status;

    if (graph == NULL || sub_graph == NULL || node == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (contains(sub_graph, graph) || sub_graph->pe != graph->pe) {
        SDK_LOG_DBG("A graph cannot contain itself or a graph of another engine");
        return DOCA_ERROR_INVALID_VALUE;
    }

    status = add_node(graph, &model, node);
    if (status == DOCA_SUCCESS)
        sub_graph->parents++;
    return status;
}

doca_error_t doca_graph_add_dependency(
        struct doca_graph *graph, struct doca_graph_node *from, struct doca_graph_node *to)
{
    struct doca_graph_node **successors;
    uint32_t i;

    if (graph == NULL || from == NULL || to == NULL || from->graph != graph || to->graph != graph
            || from == to)
        return DOCA_ERROR_INVALID_VALUE;
    if (graph->started)
        return DOCA_ERROR_BAD_STATE;
    for (i = 0; i < from->successors_count; ++i)
        if (from->successors[i] == to)
            return DOCA_ERROR_ALREADY_EXIST;
    successors = reallocarray(from->successors, from->successors_count + 1, sizeof(*successors));
    if (successors == NULL)
        return DOCA_ERROR_NO_MEMORY;

    successors[from->successors_count++] = to;
    from->successors = successors;
    to->predecessors_count++;
    return DOCA_SUCCESS;
}
