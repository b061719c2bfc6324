/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of the graph plugin. */
#include "codec.h"

#include <string.h>
#include <jurom/urom_graph.h>

static void pack_loopback(struct message *message)
{
    struct urom_worker_graph_cmd cmd;

    memset(&cmd, 0, sizeof(cmd));
    cmd.type = UROM_WORKER_CMD_GRAPH_LOOPBACK;
    cmd.loopback.data = next_u64();
    struct blob payload = next_blob();
    append(message, &cmd, sizeof(cmd));
    append(message, payload.bytes, payload.length);
}

static void pack_loopback_notification(struct message *message)
{
    struct urom_worker_notify_graph notify;

    memset(&notify, 0, sizeof(notify));
    notify.type = UROM_WORKER_NOTIFY_GRAPH_LOOPBACK;
    notify.loopback.data = next_u64();
    struct blob payload = next_blob();
    append(message, &notify, sizeof(notify));
    append(message, payload.bytes, payload.length);
}

const struct packer graph_packers[] = { { "graph_loopback", pack_loopback },
    { "graph_notify_loopback", pack_loopback_notification }, { 0 } };
