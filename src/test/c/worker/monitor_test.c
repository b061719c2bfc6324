/* SPDX-License-Identifier: Apache-2.0 */
/* The launcher: its descriptors, malformed requests, and its end. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "worker_process.h"

#define ANSWER_MS 20000
#define ID 7
#define OTHER_ID 8
#define FIRST_FREE 5 /* after the socket and the descriptor of signals */

static const char *const plugin[] = { WORKER_PUPPET ":1", NULL };
static const char *const nothing[] = { NULL };
static struct monitor_client client;
static struct worker_process worker;
static int pipes[4]; /* for the input, then the output: the ends of the process and of this one */

static int set_up(void **state)
{
    int to[2], from[2];

    (void)state;
    monitor_open(&client);
    assert_int_equal(0, pipe2(to, O_CLOEXEC | O_NONBLOCK));
    assert_int_equal(0, pipe2(from, O_CLOEXEC | O_NONBLOCK));
    pipes[0] = to[0];
    pipes[1] = from[1];
    pipes[2] = to[1];
    pipes[3] = from[0];
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    for (int i = 0; i < 4; ++i)
        close(pipes[i]);
    monitor_close(&client);
    worker_clean_up(&worker);
    return 0;
}

static struct monitor_event expect(enum monitor_event_kind kind, uint64_t id)
{
    char reason[MONITOR_REASON_MAX + 1];
    struct monitor_event event;

    monitor_receive_event(&client, &event, reason, ANSWER_MS);
    if (event.kind != kind)
        fail_msg("event %u instead of %u: %s", event.kind, kind, reason);
    assert_int_equal(id, event.id);
    return event;
}

static void expect_refusal(uint64_t id, const char *words)
{
    char reason[MONITOR_REASON_MAX + 1];
    struct monitor_event event;

    monitor_receive_event(&client, &event, reason, ANSWER_MS);
    assert_int_equal(MONITOR_REFUSED, event.kind);
    assert_int_equal(id, event.id);
    if (strstr(reason, words) == NULL)
        fail_msg("\"%s\" does not contain \"%s\"", reason, words);
}

/* Starts a process that waits for LAUNCH. */
static pid_t start(uint64_t id)
{
    monitor_send(
            &client, (struct monitor_request){ .kind = MONITOR_START, .id = id }, plugin, pipes, 2);
    return (pid_t)expect(MONITOR_STARTED, id).process;
}

static void a_started_process_is_killed_on_request(void **state)
{
    (void)state;
    start(ID);
    monitor_send(
            &client, (struct monitor_request){ .kind = MONITOR_KILL, .id = ID }, nothing, NULL, 0);

    expect(MONITOR_ACCEPTED, ID);
    assert_int_equal(128 + SIGKILL, expect(MONITOR_ENDED, ID).status);
    monitor_send(
            &client, (struct monitor_request){ .kind = MONITOR_KILL, .id = ID }, nothing, NULL, 0);
    expect(MONITOR_ACCEPTED, ID); /* an exited process is not an error */
}

static void a_probe_reports_to_its_descriptor(void **state)
{
    const char *const strings[] = { WORKER_PUPPET, "LANG=C", NULL };
    char output[4096] = "";

    (void)state;
    monitor_send(&client, (struct monitor_request){ .kind = MONITOR_PROBE, .id = ID }, strings,
            pipes + 1, 1);

    expect(MONITOR_STARTED, ID);
    assert_int_equal(0, expect(MONITOR_ENDED, ID).status);
    assert_true(read(pipes[3], output, sizeof(output) - 1) > 0);
    assert_non_null(strstr(output, "version="));
}

static void expect_malformed(struct monitor_request request, const char *const strings[],
        unsigned descriptors, const char *field)
{
    monitor_send(&client, request, strings, pipes, descriptors);
    expect_refusal(request.id, field);
}

static void malformed_requests_are_refused_field_by_field(void **state)
{
    const char *const relative[] = { "plugin.so", NULL };
    const char *const no_variable[] = { "/plugin.so", "word", NULL };
    const char *const empty[] = { "", NULL };

    (void)state;
#define REQUEST(...) ((struct monitor_request){ .id = OTHER_ID, __VA_ARGS__ })
    start(ID);
    expect_malformed(REQUEST(.kind = 0), nothing, 0, "kind");
    expect_malformed(REQUEST(.kind = MONITOR_KILL + 1), nothing, 0, "kind");
    expect_malformed(
            REQUEST(.kind = MONITOR_START, .flags = MONITOR_AS_NOBODY), plugin, 2, "flags");
    expect_malformed(REQUEST(.kind = MONITOR_START, .flags = MONITOR_HAS_LOG | MONITOR_SHARES_LOG),
            plugin, 3, "flags");
    expect_malformed(REQUEST(.kind = MONITOR_SWEEP, .flags = 1u << 31), nothing, 0, "flags");
    expect_malformed((struct monitor_request){ .kind = MONITOR_START }, plugin, 2, "id");
    expect_malformed((struct monitor_request){ .kind = MONITOR_START, .id = ID }, plugin, 2, "id");
    expect_malformed(REQUEST(.kind = MONITOR_SWEEP, .user = UINT32_MAX), nothing, 0, "user");
    expect_malformed(REQUEST(.kind = MONITOR_START, .user = 1), plugin, 2, "user");
    expect_malformed(REQUEST(.kind = MONITOR_START), nothing, 2, "number of strings");
    expect_malformed(REQUEST(.kind = MONITOR_KILL), plugin, 0, "number of strings");
    expect_malformed(REQUEST(.kind = MONITOR_START), empty, 2, "strings");
    expect_malformed(REQUEST(.kind = MONITOR_PROBE), relative, 1, "strings");
    expect_malformed(REQUEST(.kind = MONITOR_PROBE), no_variable, 1, "strings");
    expect_malformed(REQUEST(.kind = MONITOR_START), plugin, 0, "descriptors");
    expect_malformed(REQUEST(.kind = MONITOR_START), plugin, 1, "descriptors");
    expect_malformed(REQUEST(.kind = MONITOR_START), plugin, 3, "descriptors");
    expect_malformed(REQUEST(.kind = MONITOR_KILL), nothing, 1, "descriptors");

    monitor_send(
            &client, (struct monitor_request){ .kind = MONITOR_KILL, .id = ID }, nothing, NULL, 0);
    expect(MONITOR_ACCEPTED, ID);
    expect(MONITOR_ENDED, ID); /* no malformed request has ended anything else */
}

static void malformed_messages_are_refused(void **state)
{
    static char bytes[MONITOR_REQUEST_MAX + 4096];
    struct monitor_request request = { .kind = MONITOR_START, .id = ID, .count = 1 };
    const int many[] = { pipes[0], pipes[1], pipes[2], pipes[3], pipes[0], pipes[1] };

    (void)state;
    monitor_send_bytes(&client, "", 0, NULL, 0);
    expect_refusal(0, "length");
    monitor_send_bytes(&client, &request, sizeof(request) - 1, NULL, 0);
    expect_refusal(0, "length");
    memcpy(bytes, &request, sizeof(request));
    memset(bytes + sizeof(request), 'x', sizeof(bytes) - sizeof(request));
    monitor_send_bytes(&client, bytes, sizeof(bytes), pipes, 2);
    expect_refusal(ID, "length");
    monitor_send_bytes(&client, bytes, sizeof(request) + 10, pipes, 2); /* without a NUL */
    expect_refusal(ID, "strings");
    bytes[sizeof(request) + 5] = '\0';
    monitor_send_bytes(&client, bytes, sizeof(request) + 10, pipes, 2); /* bytes after the last */
    expect_refusal(ID, "strings");
    request.count = UINT32_MAX;
    memcpy(bytes, &request, sizeof(request));
    monitor_send_bytes(&client, bytes, sizeof(request) + 10, pipes, 2);
    expect_refusal(ID, "strings");
    request.count = 1;
    memcpy(bytes, &request, sizeof(request));
    monitor_send_bytes(&client, bytes, sizeof(request) + 6, many, 6);
    expect_refusal(ID, "descriptors");
    for (int fd = FIRST_FREE; fd < 64; ++fd) {
        char path[64];

        snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)client.pid, fd);
        assert_int_not_equal(0, access(path, F_OK)); /* received descriptors are closed */
    }
    start(ID);
}

static void a_process_ends_with_its_killed_launcher(void **state)
{
    pid_t process;

    (void)state;
    worker_start(&worker, 4096);
    process = worker.pid;
    assert_int_equal(0, kill(worker.monitor.pid, SIGKILL));

    await(process_is_gone(process), EXIT_MS);
    worker.pid = -1;
}

static void a_process_that_waits_for_launch_ends_with_its_killed_launcher(void **state)
{
    pid_t process;

    (void)state;
    process = start(ID);
    assert_int_equal(0, kill(client.pid, SIGKILL));

    await(process_is_gone(process), EXIT_MS);
}

static void signals_for_the_service_do_not_end_the_launcher(void **state)
{
    static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

    (void)state;
    start(ID);
    for (int i = 0; i < 4; ++i)
        assert_int_equal(0, kill(client.pid, signals[i]));

    monitor_send(
            &client, (struct monitor_request){ .kind = MONITOR_KILL, .id = ID }, nothing, NULL, 0);
    expect(MONITOR_ACCEPTED, ID);
    expect(MONITOR_ENDED, ID);
}

static void the_launcher_exits_with_the_service_after_its_workers(void **state)
{
    pid_t process;

    (void)state;
    worker_start(&worker, 4096);
    process = worker.pid;
    close(worker.input);
    worker.input = -1;
    monitor_close(&worker.monitor);

    assert_true(process_is_gone(process));
    worker.pid = -1;
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(a_started_process_is_killed_on_request),
        TEST(a_probe_reports_to_its_descriptor),
        TEST(malformed_requests_are_refused_field_by_field),
        TEST(malformed_messages_are_refused),
        TEST(a_process_ends_with_its_killed_launcher),
        TEST(a_process_that_waits_for_launch_ends_with_its_killed_launcher),
        TEST(signals_for_the_service_do_not_end_the_launcher),
        TEST(the_launcher_exits_with_the_service_after_its_workers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
