/* SPDX-License-Identifier: Apache-2.0 */
#include "host.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <common/private.h>
#include <jurom/urom_graph.h>

#define PROBE_NUMBER 0x7fffffff /* number of the command of host_expect_nothing */
#define COUNT_NUMBER 0x7ffffffe /* and of host_count_given */
#define FRAMES 64

/* A queued message. Messages complete in order. */
struct message {
    struct channel_message message;
    struct message *next;
    struct host *host;
    uint8_t bytes[];
};

static struct host *host_of(struct channel_receiver *receiver)
{
    return CONTAINER_OF(receiver, struct host, receiver);
}

static struct answer *next_answer(struct host *host, const struct wire_frame *frame)
{
    struct answer *answer = &host->answers[host->count];

    assert_true(host->count < ANSWERS_MAX);
    ++host->count;
    *answer = (struct answer){ .type = frame->type, .number = frame->request_id };
    return answer;
}

static void *place(
        struct channel_receiver *receiver, const uint8_t prefix[WIRE_PREFIX_SIZE], size_t length)
{
    (void)receiver;
    (void)prefix;
    return malloc(length);
}

static void placed(struct channel_receiver *receiver, const uint8_t prefix[WIRE_PREFIX_SIZE],
        size_t length, void *payload)
{
    struct answer *answer;
    struct wire_frame frame;

    assert_success(wire_decode_prefix(prefix, length, SIZE_MAX, &frame));
    assert_int_equal(WIRE_NOTIFICATION, frame.type);
    answer = next_answer(host_of(receiver), &frame);
    answer->status = frame.notification.status;
    answer->length = frame.notification.payload.length;
    answer->payload = payload;
}

static void abandoned(struct channel_receiver *receiver, void *payload)
{
    (void)receiver;
    free(payload);
}

static void take_attached(struct host *host, const struct wire_attached *attached)
{
    struct wire_plugin_address address;
    size_t offset = 0;

    assert_int_equal(WIRE_FLAG_DEADLINES, attached->flags);
    host->connection = attached->connection;
    host->clock = attached->clock;
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

static void receive(struct channel_receiver *receiver, const uint8_t *bytes, size_t length)
{
    struct host *host = host_of(receiver);
    struct answer *answer;
    struct wire_frame frame;

    assert_success(decode_any(bytes, length, SIZE_MAX, &frame));
    answer = next_answer(host, &frame);
    if (frame.type == WIRE_ATTACHED)
        take_attached(host, &frame.attached);
    if (frame.type == WIRE_ERROR)
        answer->status = frame.error.status;
}

void host_connect(struct host *host, const struct channel_address *address,
        const struct channel_ticket *ticket, size_t max_message_size)
{
    const struct channel_settings settings = {
        .receiver = &host->receiver,
        .max_message_size = max_message_size,
        .data = worker_is_over_ucx() ? CHANNEL_DATA_UCX : CHANNEL_DATA_TLS,
    };

    memset(host, 0, sizeof(*host));
    host->newest = &host->oldest;
    host->receiver = (struct channel_receiver){ place, placed, abandoned, receive };
    assert_success(channel_connect_worker(address, ticket, &settings, &host->channel));
}

void host_open_as(
        struct host *host, struct worker_process *worker, size_t max_message_size, uint64_t session)
{
    struct channel_address address;
    struct channel_ticket ticket;

    worker_give_ticket(worker, session, TICKET_MS, &ticket, &address);
    host_connect(host, &address, &ticket, max_message_size);
    host_await_open(host);
}

void host_open(struct host *host, struct worker_process *worker, size_t max_message_size)
{
    host_open_as(host, worker, max_message_size, SESSION);
}

void end_child(pid_t *child)
{
    if (*child > 0) {
        kill(*child, SIGKILL);
        waitpid(*child, NULL, 0);
    }
    *child = -1;
}

void host_close(struct host *host)
{
    host_forget(host);
    channel_close(host->channel);
    host->channel = NULL;
    while (host->oldest != NULL) {
        struct message *message = host->oldest;

        host->oldest = message->next;
        free(message);
    }
}

unsigned host_progress(struct host *host)
{
    return channel_poll(host->channel, FRAMES);
}

bool host_has_ended(const struct host *host)
{
    doca_error_t status = channel_status(host->channel);

    return status != DOCA_SUCCESS && status != DOCA_ERROR_IN_PROGRESS;
}

void host_await_open(struct host *host)
{
    uint64_t deadline = deadline_in(ANSWER_MS);
    unsigned idle = 0;

    while (channel_status(host->channel) == DOCA_ERROR_IN_PROGRESS) {
        if (host_progress(host) == 0)
            give_way_when_idle(&idle);
        assert_false(deadline_has_passed(deadline));
    }
    if (host_has_ended(host))
        fail_msg("the connection was rejected: %s", channel_reason(host->channel));
}

void host_await_end(struct host *host, doca_error_t status)
{
    uint64_t deadline = deadline_in(ANSWER_MS);
    unsigned idle = 0;

    while (!host_has_ended(host)) {
        if (host_progress(host) == 0)
            give_way_when_idle(&idle);
        assert_false(deadline_has_passed(deadline));
    }
    assert_status(status, channel_status(host->channel));
}

static void message_done(struct channel_message *channel_message)
{
    struct message *message = CONTAINER_OF(channel_message, struct message, message);

    struct host *host = message->host;

    assert_ptr_equal(host->oldest, message);
    host->oldest = message->next;
    if (host->oldest == NULL)
        host->newest = &host->oldest;
    --host->sending;
    free(message);
}

static struct message *make_message(struct host *host, size_t length)
{
    struct message *message = malloc(sizeof(*message) + length);

    assert_non_null(message);
    message->message.done = message_done;
    message->host = host;
    message->next = NULL;
    return message;
}

static void send_message(struct message *message, size_t length)
{
    struct host *host = message->host;
    doca_error_t status = channel_send(host->channel, message->bytes, length, &message->message);

    channel_push(host->channel);
    if (status == DOCA_ERROR_IN_PROGRESS) {
        *host->newest = message;
        host->newest = &message->next;
        ++host->sending;
    } else {
        free(message);
        if (!host_has_ended(host))
            assert_success(status);
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

    assert_success(encode_any(frame, bytes, sizeof(bytes), &length));
    host_send(host, bytes, length);
}

void host_attach(struct host *host, uint32_t max_tasks)
{
    host_send_frame(host,
            &(struct wire_frame){
                    .type = WIRE_ATTACH, .request_id = 5, .attach.max_tasks = max_tasks });
    host_await(host, 1);
    assert_int_equal(WIRE_ATTACHED, host->answers[0].type);
    assert_int_equal(5, host->answers[0].number);
    host_forget(host);
}

void host_detach(struct host *host)
{
    unsigned before = host->count;

    host_send_frame(host, &(struct wire_frame){ .type = WIRE_DETACH, .request_id = 6 });
    host_await(host, before + 1);
    assert_int_equal(WIRE_DETACHED, host->answers[before].type);
    host_close(host);
}

void host_command(
        struct host *host, uint64_t plugin, uint64_t number, const void *payload, size_t length)
{
    size_t total = WIRE_PREFIX_SIZE + length;
    struct message *message = make_message(host, total);

    wire_put_command(message->bytes, number, plugin, length);
    memcpy(message->bytes + WIRE_PREFIX_SIZE, payload, length);
    send_message(message, total);
}

void host_puppet(
        struct host *host, uint64_t number, struct puppet_command command, const char *text)
{
    uint8_t bytes[1024];
    size_t length = text == NULL ? 0 : strlen(text);

    assert_true(sizeof(command) + length <= sizeof(bytes));
    memcpy(bytes, &command, sizeof(command));
    memcpy(bytes + sizeof(command), text == NULL ? "" : text, length);
    host_command(host, PUPPET, number, bytes, sizeof(command) + length);
}

void host_puppet_until(
        struct host *host, uint64_t number, struct puppet_command command, uint64_t deadline)
{
    const struct wire_frame frame = {
        .type = WIRE_COMMAND_UNTIL,
        .request_id = number,
        .command = { PUPPET, { (const uint8_t *)&command, sizeof(command) }, deadline },
    };

    host_send_frame(host, &frame);
}

void host_cancel(struct host *host, uint64_t number)
{
    channel_mark_cancelled(host->channel, number);
    host_send_frame(host, &(struct wire_frame){ .type = WIRE_CANCEL, .request_id = number });
}

void host_await(struct host *host, unsigned count)
{
    uint64_t deadline = deadline_in(ANSWER_MS);
    unsigned idle = 0;

    while (host->count < count || host->sending > 0) {
        if (host_progress(host) > 0) {
            idle = 0;
            continue;
        }
        give_way_when_idle(&idle);
        if (host_has_ended(host))
            fail_msg("%u answers instead of %u, then: %s", host->count, count,
                    channel_reason(host->channel));
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

void host_assert_answer(
        const struct host *host, unsigned index, uint64_t number, doca_error_t status)
{
    assert_true(index < host->count);
    assert_int_equal(WIRE_NOTIFICATION, host->answers[index].type);
    assert_int_equal(number, host->answers[index].number);
    assert_int_equal(status, host->answers[index].status);
}

uint64_t host_count_given(struct host *host)
{
    unsigned before = host->count;
    uint64_t given;

    host_puppet(host, COUNT_NUMBER, (struct puppet_command){ .act = PUPPET_ECHO }, NULL);
    host_await(host, before + 1);
    given = host_puppet_answer(host, before)->sequence;
    free(host->answers[before].payload);
    host->count = before;
    return given;
}
