/* SPDX-License-Identifier: Apache-2.0 */
#include "host.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include <common/private.h>
#include <urom_graph.h>

#define PROBE_NUMBER 0x7fffffff /* of the command behind host_expect_nothing */
#define FRAME_MAX (64u << 20)

/* A message that UCX still reads. Frees itself. */
struct message {
    struct net_operation operation;
    struct host *host;
    uint8_t bytes[];
};

static void take_attached(struct host *host, const struct wire_attached *attached)
{
    struct wire_plugin_address address;
    size_t offset = 0;

    host->connection = attached->connection;
    host->plugin_count = 0;
    while (wire_next_plugin_address(attached, &offset, &address)) {
        struct attached_plugin *plugin = &host->plugins[host->plugin_count++];

        assert_true(host->plugin_count <= PLUGINS_LISTED);
        assert_true(address.address.length < sizeof(plugin->address));
        plugin->plugin = address.plugin;
        plugin->length = address.address.length;
        memcpy(plugin->address, address.address.data, plugin->length);
    }
    assert_int_equal(attached->plugin_count, host->plugin_count);
}

static void receive(void *owner, const uint8_t *data, size_t length)
{
    struct host *host = owner;
    struct answer *answer = &host->answers[host->count];
    struct wire_frame frame;

    assert_success(wire_decode(data, length, FRAME_MAX, &frame));
    assert_true(host->count < ANSWERS_MAX);
    ++host->count;
    *answer = (struct answer){
        .type = frame.type,
        .number = (uint32_t)frame.request_id,
        .connection = (uint32_t)(frame.request_id >> 32),
    };
    if (frame.type == WIRE_ATTACHED)
        take_attached(host, &frame.attached);
    if (frame.type == WIRE_NOTIFICATION) {
        answer->status = frame.notification.status;
        answer->length = frame.notification.payload.length;
        answer->payload = malloc(answer->length + 1);
        memcpy(answer->payload, frame.notification.payload.data, answer->length);
    }
}

void host_open(struct host *host, const struct worker_process *worker)
{
    *host = (struct host){ .count = 0 };
    assert_success(net_open(&host->net, NET_DATA, receive, host, NULL));
    assert_success(net_connect(&host->endpoint, &host->net, worker->address));
}

void host_close(struct host *host)
{
    if (host->net.worker == NULL)
        return;
    host_forget(host);
    net_disconnect(&host->endpoint); /* the worker may have gone */
    net_close(&host->net);
    host->net.worker = NULL;
}

static void message_sent(struct net_operation *operation, doca_error_t status)
{
    struct message *message = CONTAINER_OF(operation, struct message, operation);

    (void)status; /* what was not sent will not be answered */
    --message->host->sending;
    free(message);
}

static struct message *make_message(struct host *host, size_t length)
{
    struct message *message = malloc(sizeof(*message) + length);

    assert_non_null(message);
    message->operation.done = message_sent;
    message->host = host;
    return message;
}

static void send_message(struct message *message, size_t length)
{
    struct host *host = message->host;
    doca_error_t status = net_send(&host->endpoint, message->bytes, length, &message->operation);

    if (status == DOCA_ERROR_IN_PROGRESS) {
        ++host->sending;
    } else {
        assert_success(status);
        free(message);
    }
}

void host_send(struct host *host, const void *bytes, size_t length)
{
    struct message *message = make_message(host, length);

    memcpy(message->bytes, bytes, length);
    send_message(message, length);
}

void host_send_frame(struct host *host, const struct wire_frame *frame)
{
    uint8_t bytes[16384];
    size_t length;

    assert_success(wire_encode(frame, bytes, sizeof(bytes), &length));
    host_send(host, bytes, length);
}

void host_attach(struct host *host, const uint8_t *token, uint32_t max_tasks)
{
    struct wire_frame frame = { .type = WIRE_ATTACH, .request_id = 5 };
    ucp_address_t *address;
    size_t length;

    assert_success(net_address(&host->net, &address, &length));
    frame.attach = (struct wire_attach){
        .token = token,
        .max_tasks = max_tasks,
        .address = { (const uint8_t *)address, length },
    };
    host_send_frame(host, &frame);
    net_free_address(&host->net, address);
    host_await(host, 1);
    assert_int_equal(WIRE_ATTACHED, host->answers[0].type);
    assert_int_equal(5, host->answers[0].number);
    host_forget(host);
}

void host_command(struct host *host, uint64_t plugin, uint32_t number, const void *payload,
        size_t length)
{
    size_t total = WIRE_PREFIX_SIZE + length;
    struct message *message = make_message(host, total);

    wire_put_command(message->bytes, (uint64_t)host->connection << 32 | number, plugin, length);
    memcpy(message->bytes + WIRE_PREFIX_SIZE, payload, length);
    send_message(message, total);
}

void host_puppet(struct host *host, uint32_t number, struct puppet_command command,
        const char *text)
{
    uint8_t bytes[1024];
    size_t length = text == NULL ? 0 : strlen(text);

    assert_true(sizeof(command) + length <= sizeof(bytes));
    memcpy(bytes, &command, sizeof(command));
    memcpy(bytes + sizeof(command), text == NULL ? "" : text, length);
    host_command(host, PUPPET, number, bytes, sizeof(command) + length);
}

void host_await(struct host *host, unsigned count)
{
    uint64_t deadline = deadline_in(ANSWER_MS);

    while (host->count < count || host->sending > 0) {
        if (net_progress(&host->net) > 0)
            continue;
        sched_yield();
        if (deadline_has_passed(deadline))
            fail_msg("%u answers instead of %u within %d ms", host->count, count, ANSWER_MS);
    }
    assert_int_equal(count, host->count);
}

void host_forget(struct host *host)
{
    for (unsigned i = 0; i < host->count; ++i)
        free(host->answers[i].payload);
    host->count = 0;
}

void host_expect_nothing(struct host *host)
{
    struct urom_worker_graph_cmd command = { .type = UROM_WORKER_CMD_GRAPH_LOOPBACK };
    unsigned before = host->count;

    host_command(host, GRAPH, PROBE_NUMBER, &command, sizeof(command));
    host_await(host, before + 1);
    host_assert_answer(host, before, PROBE_NUMBER, DOCA_SUCCESS);
    free(host->answers[before].payload);
    host->count = before;
}

const struct puppet_notification *host_puppet_answer(const struct host *host, unsigned index)
{
    assert_true(index < host->count);
    assert_int_equal(WIRE_NOTIFICATION, host->answers[index].type);
    assert_true(host->answers[index].length >= sizeof(struct puppet_notification));
    return (const struct puppet_notification *)host->answers[index].payload;
}

void host_assert_answer(const struct host *host, unsigned index, uint32_t number,
        doca_error_t status)
{
    assert_true(index < host->count);
    assert_int_equal(WIRE_NOTIFICATION, host->answers[index].type);
    assert_int_equal(number, host->answers[index].number);
    assert_int_equal(host->connection, host->answers[index].connection);
    assert_int_equal(status, host->answers[index].status);
}
