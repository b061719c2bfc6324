/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes of a graph and their dependencies. */
#include "graph.h"

#include <stdbool.h>
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
    if (contains(sub_graph, graph)) {
        SDK_LOG_DBG("A graph cannot contain itself");
        return DOCA_ERROR_NOT_PERMITTED;
    }
    if (sub_graph->pe != graph->pe) {
        SDK_LOG_DBG("A graph cannot contain a graph of another engine");
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (!sub_graph->started) {
        SDK_LOG_DBG("The sub-graph is not started: start it before adding it to another graph");
        return DOCA_ERROR_BAD_STATE;
    }

    status = add_node(graph, &model, node);
    if (status == DOCA_SUCCESS)
        sub_graph->parents++;
    return status;
}

/*
 * Finds out whether `to` runs after `from`, or is the same node. A graph without cycles stays
 * without cycles if no dependency from `to` on `from` is added.
 */
static doca_error_t is_reachable(
        const struct doca_graph_node *from, const struct doca_graph_node *to, bool *reachable)
{
    uint32_t nodes = from->graph->nodes_count, found = 1, done, i;
    const struct doca_graph_node **reached = calloc(nodes, sizeof(*reached));
    bool *is_reached = calloc(nodes, sizeof(*is_reached));
    doca_error_t status = DOCA_ERROR_NO_MEMORY;

    if (reached != NULL && is_reached != NULL) {
        status = DOCA_SUCCESS;
        reached[0] = from;
        is_reached[from->index] = true;
        for (done = 0; done < found; ++done)
            for (i = 0; i < reached[done]->successors_count; ++i)
                if (!is_reached[reached[done]->successors[i]->index]) {
                    is_reached[reached[done]->successors[i]->index] = true;
                    reached[found++] = reached[done]->successors[i];
                }
        *reachable = is_reached[to->index];
    }
    free(reached);
    free(is_reached);
    return status;
}

/* Returns SUCCESS if `to` can depend on `from`. */
static doca_error_t check_dependency(
        const struct doca_graph_node *from, const struct doca_graph_node *to)
{
    doca_error_t status;
    bool is_cycle;
    uint32_t i;

    for (i = 0; i < from->successors_count; ++i)
        if (from->successors[i] == to)
            return DOCA_ERROR_ALREADY_EXIST;
    status = is_reachable(to, from, &is_cycle);
    if (status != DOCA_SUCCESS || !is_cycle)
        return status;
    SDK_LOG_DBG(
            "Node %u already runs after node %u of the graph: the dependency would form a cycle",
            from->index, to->index);
    return DOCA_ERROR_NOT_PERMITTED;
}

doca_error_t doca_graph_add_dependency(
        struct doca_graph *graph, struct doca_graph_node *from, struct doca_graph_node *to)
{
    struct doca_graph_node **successors;
    doca_error_t status;

    if (graph == NULL || from == NULL || to == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (from->graph != graph || to->graph != graph) {
        SDK_LOG_DBG("A node of another graph cannot be part of a dependency");
        return DOCA_ERROR_NOT_PERMITTED;
    }
    if (graph->started)
        return DOCA_ERROR_BAD_STATE;
    status = check_dependency(from, to);
    if (status != DOCA_SUCCESS)
        return status;
    successors = reallocarray(from->successors, from->successors_count + 1, sizeof(*successors));
    if (successors == NULL)
        return DOCA_ERROR_NO_MEMORY;

    successors[from->successors_count++] = to;
    from->successors = successors;
    to->predecessors_count++;
    return DOCA_SUCCESS;
}
