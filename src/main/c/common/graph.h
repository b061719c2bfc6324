/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Graphs: nodes and their dependencies (graph.c, graph_node.c); the data of instances
 * (graph_instance.c) and their execution (graph_run.c). Only the engine's thread may use them.
 *
 *     stopped (add nodes) -> started (create and run instances) -> stopped
 */
#ifndef JUROM_GRAPH_H_
#define JUROM_GRAPH_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_graph.h>

#include "pe.h"
#include "task.h"

enum graph_node_kind {
    GRAPH_NODE_CTX,
    GRAPH_NODE_USER,
    GRAPH_NODE_SUB_GRAPH,
};

struct doca_graph_node {
    struct doca_graph *graph;
    uint32_t index; /* in its graph and in instances */
    enum graph_node_kind kind;
    const struct doca_ctx *ctx;
    doca_graph_user_node_cb_t user;
    struct doca_graph *sub_graph;
    struct doca_graph_node **successors;
    uint32_t successors_count;
    uint32_t predecessors_count;
};

struct doca_graph {
    struct doca_pe *pe;
    struct doca_graph_node **nodes;
    uint32_t nodes_count;
    doca_graph_completion_cb_t completed; /* NULL: not configured */
    doca_graph_completion_cb_t failed;
    uint32_t instances_max;
    uint32_t instances_count;
    union doca_data user_data;
    bool started;
    uint32_t parents;         /* nodes of other graphs that run this graph */
    uint32_t started_parents; /* number of them in started graphs */
};

/* One node of one instance. */
struct graph_step {
    struct doca_graph_instance *instance;
    const struct doca_graph_node *node;
    struct pe_event event;  /* all predecessors are done */
    uint32_t waits_for;     /* unfinished predecessors in the current run */
    struct doca_task *task; /* data of the node, by its kind */
    void *cookie;
    struct doca_graph_instance *sub_instance;
};

struct doca_graph_instance {
    struct doca_graph *graph;
    union doca_data user_data;
    bool inflight;
    doca_error_t status; /* the first failure of the current run */
    uint32_t open_steps; /* queued or running */
    struct pe_event completion;
    struct graph_step *parent; /* the step of another instance that runs this one */
    uint32_t uses;             /* steps of other instances that run this instance */
    struct graph_step steps[];
};

#endif /* JUROM_GRAPH_H_ */
