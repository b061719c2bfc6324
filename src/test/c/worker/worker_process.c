/* SPDX-License-Identifier: Apache-2.0 */
#include "worker_process.h"

#include <dirent.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#define LOG_SHOWN 12000
#define FRAME_MAX (ENVIRONMENT_MAX + 8192)
#define LOOPBACK "127.0.0.1"

#define REQUEST_ID 1

extern char **environ;

bool worker_is_over_tcp(void)
{
    return getenv("WORKER_OVER_TCP") != NULL;
}

bool worker_is_over_ucx(void)
{
    const char *what = getenv("WORKER_OVER_TCP");

    return what != NULL && strcmp(what, "ucx") == 0;
}

static void request_start(
        struct worker_process *worker, const char *const plugins[], int input, int output)
{
    const struct monitor_request request = {
        .kind = MONITOR_START, .flags = MONITOR_HAS_LOG, .id = REQUEST_ID
    };
    int log = worker->standard_error > 0
            ? worker->standard_error
            : open(worker->log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    int descriptors[] = { input, output, log };
    char reason[MONITOR_REASON_MAX + 1];
    struct monitor_event event;

    assert_true(log >= 0);
    monitor_send(&worker->monitor, request, plugins, descriptors, 3);
    monitor_receive_event(&worker->monitor, &event, reason, START_MS);
    if (event.kind != MONITOR_STARTED)
        fail_msg("%s", reason);
    worker->pid = (pid_t)event.process;
    if (worker->standard_error <= 0)
        close(log);
}

void worker_execute(struct worker_process *worker, const char *const plugins[])
{
    int to[2], from[2];

    worker_clean_up(worker);
    make_directory(worker->directory);
    path_in(worker->log, worker->directory, "log");
    path_in(worker->socket, worker->directory, "socket");
    assert_int_equal(0, pipe2(to, O_CLOEXEC));
    assert_int_equal(0, pipe2(from, O_CLOEXEC));
    monitor_open(&worker->monitor);
    request_start(worker, plugins, to[0], from[1]);
    close(to[0]);
    close(from[1]);
    worker->input = to[1];
    worker->output = from[0];
}

void worker_add_variable(
        struct wire_launch *launch, char environment[ENVIRONMENT_MAX], const char *variable)
{
    size_t length = strlen(variable) + 1;

    if (strchr(variable, '=') == NULL || launch->environment.length + length > ENVIRONMENT_MAX)
        return;
    memcpy(environment + launch->environment.length, variable, length);
    launch->environment.length += length;
    ++launch->environment_count;
}

void worker_default_launch(const struct worker_process *worker, struct wire_launch *launch,
        char environment[ENVIRONMENT_MAX])
{
    *launch = (struct wire_launch){
        .flags = WIRE_FLAG_LISTEN,
        .capabilities = UINT64_MAX,
        .socket_path = { (const uint8_t *)worker->socket, strlen(worker->socket) },
        .environment = { (const uint8_t *)environment, 0 },
    };
    for (char **variable = environ; *variable != NULL; ++variable)
        worker_add_variable(launch, environment, *variable);
}

void worker_launch(struct worker_process *worker, const char *const arguments[])
{
    static char environment[ENVIRONMENT_MAX];
    struct wire_frame frame = { .type = WIRE_LAUNCH };

    worker_execute(worker, arguments);
    worker_default_launch(worker, &frame.launch, environment);
    worker_tell(worker, &frame);
}

void worker_tell(struct worker_process *worker, const struct wire_frame *frame)
{
    static uint8_t bytes[FRAME_MAX];
    size_t length;

    assert_success(encode_any(frame, bytes, sizeof(bytes), &length));
    assert_int_equal(length, write(worker->input, bytes, length));
}

void worker_configure(
        struct worker_process *worker, uint32_t max_message_size, const uint8_t *cpu_set)
{
    worker_tell(worker, &(struct wire_frame){
        .type = WIRE_CONFIGURE,
        .configure = {
            .worker_id = 7,
            .max_message_size = max_message_size,
            .flags = cpu_set == NULL ? 0 : WIRE_FLAG_HAS_CPU_SET,
            .cpu_set = cpu_set,
        },
    });
}

bool worker_speaks(const struct worker_process *worker, int milliseconds)
{
    struct pollfd readable = { .fd = worker->output, .events = POLLIN };

    return poll(&readable, 1, milliseconds) == 1;
}

/* Reads `length` bytes before `deadline`. */
static void read_exactly(
        const struct worker_process *worker, uint8_t *data, size_t length, uint64_t deadline)
{
    while (length > 0) {
        ssize_t count = 0;

        assert_false(deadline_has_passed(deadline));
        if (worker_speaks(worker, 100)) {
            count = read(worker->output, data, length);
            assert_true(count > 0);
        }
        data += count;
        length -= (size_t)count;
    }
}

void worker_expect(struct worker_process *worker, enum wire_type type)
{
    uint64_t deadline = deadline_in(START_MS);
    size_t length;

    read_exactly(worker, worker->bytes, WIRE_HEADER_SIZE, deadline);
    assert_success(wire_frame_length(worker->bytes, sizeof(worker->bytes), &length));
    assert_true(length <= sizeof(worker->bytes));
    read_exactly(worker, worker->bytes + WIRE_HEADER_SIZE, length - WIRE_HEADER_SIZE, deadline);
    assert_success(decode_any(worker->bytes, length, sizeof(worker->bytes), &worker->answer));
    if (worker->answer.type == WIRE_ERROR && type != WIRE_ERROR)
        print_error("the worker answered: %.*s\n", (int)worker->answer.error.text.length,
                (const char *)worker->answer.error.text.data);
    assert_int_equal(type, worker->answer.type);
}

void worker_start(struct worker_process *worker, uint32_t max_message_size)
{
    static const char *const plugins[] = { WORKER_GRAPH ":1", WORKER_PUPPET ":2", NULL };

    worker_launch(worker, plugins);
    worker_configure(worker, max_message_size, NULL);
    worker_expect(worker, WIRE_READY);
}

void make_ticket(struct channel_ticket *ticket, uint8_t bytes[WIRE_TICKET_SIZE])
{
    assert_int_equal(WIRE_TICKET_SIZE, getrandom(bytes, WIRE_TICKET_SIZE, 0));
    memcpy(ticket->id, bytes, WIRE_TICKET_ID_SIZE);
    memcpy(ticket->key, bytes + WIRE_TICKET_ID_SIZE, WIRE_TICKET_KEY_SIZE);
}

void worker_local_address(const struct worker_process *worker, struct channel_address *address)
{
    *address = (struct channel_address){ .local = true };
    assert_true(strlen(worker->socket) < sizeof(address->path));
    strcpy(address->path, worker->socket);
}

void worker_tcp_address(uint32_t port, struct channel_address *address)
{
    struct sockaddr_in *to = (struct sockaddr_in *)&address->socket;

    *address = (struct channel_address){ .socket_length = sizeof(*to) };
    to->sin_family = AF_INET;
    to->sin_port = htons((uint16_t)port);
    to->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
}

void worker_give_ticket(struct worker_process *worker, uint64_t session, uint32_t lifetime_ms,
        struct channel_ticket *ticket, struct channel_address *address)
{
    uint8_t bytes[WIRE_TICKET_SIZE];
    struct wire_frame frame = {
        .type = WIRE_TICKET,
        .request_id = 77,
        .ticket = { .ticket = bytes, .session = session, .lifetime_ms = lifetime_ms },
    };

    make_ticket(ticket, bytes);
    if (worker_is_over_tcp()) {
        frame.ticket.flags = WIRE_FLAG_OVER_TCP | (worker_is_over_ucx() ? WIRE_FLAG_OFFERS_UCX : 0);
        frame.ticket.address = (struct wire_bytes){ (const uint8_t *)LOOPBACK, strlen(LOOPBACK) };
    }
    worker_tell(worker, &frame);
    if (worker_is_over_tcp()) {
        worker_expect(worker, WIRE_LISTENING);
        assert_int_equal(77, worker->answer.request_id);
        worker_tcp_address(worker->answer.listening.port, address);
    } else {
        worker_local_address(worker, address);
    }
}

static void close_input(struct worker_process *worker)
{
    if (worker->input >= 0)
        close(worker->input);
    worker->input = -1;
}

unsigned worker_await_exit(struct worker_process *worker, int milliseconds)
{
    char reason[MONITOR_REASON_MAX + 1];
    struct monitor_event event;

    monitor_receive_event(&worker->monitor, &event, reason, milliseconds);
    assert_int_equal(MONITOR_ENDED, event.kind);
    assert_int_equal(REQUEST_ID, event.id);
    worker->pid = -1;
    return event.status;
}

static void expect_exit(struct worker_process *worker, unsigned expected)
{
    unsigned status = worker_await_exit(worker, EXIT_MS);
    char *log;

    if (status == expected)
        return;
    log = read_text(worker->log);
    print_error("the worker ended with status %u and logged\n%.*s\n", status, LOG_SHOWN, log);
    free(log);
    fail();
}

void worker_stop(struct worker_process *worker)
{
    close_input(worker);
    expect_exit(worker, 0);
}

void worker_await_failure(struct worker_process *worker)
{
    expect_exit(worker, 1);
}

unsigned worker_descriptors(const struct worker_process *worker)
{
    char path[64];
    unsigned count = 0;
    DIR *directory;

    snprintf(path, sizeof(path), "/proc/%d/fd", (int)worker->pid);
    directory = opendir(path);
    assert_non_null(directory);
    for (struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory))
        count += entry->d_name[0] != '.';
    closedir(directory);
    return count;
}

bool worker_has_logged(const struct worker_process *worker, const char *text)
{
    char *log = read_text(worker->log);
    bool found = strstr(log, text) != NULL;

    free(log);
    return found;
}

void worker_assert_logged(const struct worker_process *worker, const char *text)
{
    await(worker_has_logged(worker, text), EXIT_MS);
}

void worker_clean_up(struct worker_process *worker)
{
    if (worker->directory[0] == '\0')
        return;
    close_input(worker);
    if (worker->pid > 0)
        kill(worker->pid, SIGKILL);
    monitor_close(&worker->monitor);
    close(worker->output);
    remove_directory(worker->directory);
    *worker = (struct worker_process){ .pid = -1, .input = -1 };
}
