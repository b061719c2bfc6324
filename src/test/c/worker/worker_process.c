/* SPDX-License-Identifier: Apache-2.0 */
#include "worker_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <wire/authentication.h>

#define ARGUMENTS_MAX 66
#define LOG_SHOWN 4000

static void run_program(const struct worker_process *worker, const char *const arguments[],
        int input, int output)
{
    const char *argument[ARGUMENTS_MAX + 2] = { UROM_WORKER };
    int log = open(worker->log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);

    for (unsigned i = 0; arguments[i] != NULL && i < ARGUMENTS_MAX; ++i)
        argument[i + 1] = arguments[i];
    if (dup2(input, STDIN_FILENO) == STDIN_FILENO && dup2(output, STDOUT_FILENO) == STDOUT_FILENO
            && dup2(log, STDERR_FILENO) == STDERR_FILENO)
        execv(UROM_WORKER, (char *const *)argument);
    _exit(127);
}

void worker_launch(struct worker_process *worker, const char *const arguments[])
{
    int to[2], from[2];

    worker_clean_up(worker);
    make_directory(worker->directory);
    path_in(worker->log, worker->directory, "log");
    assert_success(authentication_nonce(worker->token));
    assert_int_equal(0, pipe2(to, O_CLOEXEC));
    assert_int_equal(0, pipe2(from, O_CLOEXEC));
    worker->pid = fork();
    if (worker->pid == 0)
        run_program(worker, arguments, to[0], from[1]);
    assert_true(worker->pid > 0);
    close(to[0]);
    close(from[1]);
    worker->input = to[1];
    worker->output = from[0];
}

void worker_configure(struct worker_process *worker, uint32_t max_message_size,
        const uint8_t *cpu_set)
{
    struct wire_frame frame = {
        .type = WIRE_CONFIGURE,
        .configure = {
            .token = worker->token,
            .worker_id = 7,
            .max_message_size = max_message_size,
            .flags = cpu_set == NULL ? 0 : WIRE_FLAG_HAS_CPU_SET,
            .cpu_set = cpu_set,
        },
    };
    uint8_t bytes[512];
    size_t length;

    assert_success(wire_encode(&frame, bytes, sizeof(bytes), &length));
    assert_int_equal(length, write(worker->input, bytes, length));
}

/* Reads `length` bytes before `deadline`. */
static void read_exactly(int fd, uint8_t *data, size_t length, uint64_t deadline)
{
    struct pollfd readable = { .fd = fd, .events = POLLIN };

    while (length > 0) {
        ssize_t count = 0;

        assert_false(deadline_has_passed(deadline));
        if (poll(&readable, 1, 100) == 1) {
            count = read(fd, data, length);
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

    read_exactly(worker->output, worker->bytes, WIRE_HEADER_SIZE, deadline);
    assert_success(wire_frame_length(worker->bytes, sizeof(worker->bytes), &length));
    read_exactly(worker->output, worker->bytes + WIRE_HEADER_SIZE, length - WIRE_HEADER_SIZE,
            deadline);
    assert_success(wire_decode(worker->bytes, length, sizeof(worker->bytes), &worker->answer));
    if (worker->answer.type == WIRE_ERROR && type != WIRE_ERROR)
        print_error("the worker says: %.*s\n", (int)worker->answer.error.text.length,
                (const char *)worker->answer.error.text.data);
    assert_int_equal(type, worker->answer.type);
    if (type == WIRE_READY) {
        assert_in_range(worker->answer.ready.address.length, 1, sizeof(worker->address));
        memcpy(worker->address, worker->answer.ready.address.data,
                worker->answer.ready.address.length);
    }
}

void worker_start(struct worker_process *worker, uint32_t max_message_size)
{
    static const char *const plugins[] = { WORKER_GRAPH ":1", WORKER_PUPPET ":2", NULL };

    worker_launch(worker, plugins);
    worker_configure(worker, max_message_size, NULL);
    worker_expect(worker, WIRE_READY);
}

static void close_input(struct worker_process *worker)
{
    if (worker->input >= 0)
        close(worker->input);
    worker->input = -1;
}

static void expect_exit(struct worker_process *worker, int expected)
{
    int status = await_exit(worker->pid, EXIT_MS);
    char *log;

    worker->pid = -1;
    if (WIFEXITED(status) && WEXITSTATUS(status) == expected)
        return;
    log = read_text(worker->log);
    print_error("the worker ended with wait status 0x%x and logged\n%.*s\n", status, LOG_SHOWN,
            log);
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
    if (worker->pid > 0) {
        kill(worker->pid, SIGKILL);
        waitpid(worker->pid, NULL, 0);
    }
    close(worker->output);
    remove_directory(worker->directory);
    *worker = (struct worker_process){ .pid = -1 };
}
