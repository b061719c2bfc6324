/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"

#include <errno.h>
#include <pthread.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <doca_log.h>

#include <common/sdk_log.h>
#include <wire/wire.h>

#define THREADS 4
#define LINES 500 /* per thread */

DOCA_LOG_REGISTER(LOG_TEST)
SDK_LOG_REGISTER(LOG_TEST::SDK)

/* A backend that counts its lines and stores the last. At most one is active. */
struct recorder {
    struct doca_log_backend *backend;
    char buffer[512];
    int lines;
};

static struct recorder recorder;
static struct doca_log_backend *retired[64];
static int retired_count;

static void record(char *line)
{
    if (line == recorder.buffer)
        recorder.lines++;
}

static int start_recording(void **state)
{
    (void)state;
    recorder = (struct recorder){ 0 };
    return doca_log_backend_create_with_buf(
            recorder.buffer, sizeof(recorder.buffer), record, &recorder.backend);
}

/* Backends cannot be destroyed, so this disables it permanently. */
static void retire(struct doca_log_backend *backend)
{
    doca_log_backend_set_level_lower_limit(backend, DOCA_LOG_LEVEL_DISABLE);
    doca_log_backend_set_level_lower_limit_strict(backend);
    doca_log_backend_set_sdk_level(backend, DOCA_LOG_LEVEL_DISABLE);
    retired[retired_count++] = backend;
}

static int stop_recording(void **state)
{
    int i;

    (void)state;
    retire(recorder.backend);
    doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_INFO);
    doca_log_level_set_global_upper_limit(DOCA_LOG_LEVEL_CRIT);
    doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_WARNING);
    for (i = 0; i < retired_count; ++i)
        doca_log_backend_set_sdk_level(retired[i], DOCA_LOG_LEVEL_DISABLE);
    return 0;
}

static void a_line_has_time_thread_level_source_location_and_message(void **state)
{
    static const char form[] =
            "^\\[[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}:[0-9]{6}[+-][0-9]{4}\\]"
            "\\[[0-9]+\\]\\[DOCA\\]\\[WRN\\]\\[LOG_TEST\\]\\[log_test\\.c:[0-9]+\\]"
            "\\[a_line_has_time_thread_level_source_location_and_message\\] seven is 7\n$";
    regex_t expression;

    (void)state;
    assert_int_equal(0, regcomp(&expression, form, REG_EXTENDED | REG_NOSUB));

    DOCA_LOG_WARN("seven is %d", 7);

    assert_int_equal(0, regexec(&expression, recorder.buffer, 0, NULL, 0));
    regfree(&expression);
}

static void a_trailing_newline_of_the_caller_is_not_doubled(void **state)
{
    (void)state;
    DOCA_LOG_INFO("done\n");

    assert_null(strstr(recorder.buffer, "\n\n"));
    assert_non_null(strstr(recorder.buffer, "done\n"));
}

static void assert_logged_as(const char *text, const char *expected)
{
    const char *message;

    DOCA_LOG_INFO("%s", text);
    message = strstr(recorder.buffer, "] ");
    assert_non_null(message);
    assert_string_equal(expected, message + 2);
}

static void a_message_is_one_line_without_control_characters(void **state)
{
    (void)state;
    assert_logged_as("no\n[2030-01-01 00:00:00:000000][1][DOCA][INF] all is well\n",
            "no\\u000a[2030-01-01 00:00:00:000000][1][DOCA][INF] all is well\n");
    assert_logged_as("a\rb\033[2Jc\177", "a\\u000db\\u001b[2Jc\\u007f\n");
    assert_logged_as("C1 \xc2\x9b, back \xe2\x80\xae, line \xe2\x80\xa8, tag \xf3\xa0\x81\x81",
            "C1 \\u009b, back \\u202e, line \\u2028, tag \\U0e0041\n");
    assert_logged_as("bad \xff\xc0\xaf\xed\xa0\x80\xe2\x82",
            "bad \\xff\\xc0\\xaf\\xed\\xa0\\x80\\xe2\\x82\n");
    assert_logged_as("a\ttab, Gr\xc3\xbc\xc3\x9f"
                     "e, \xe4\xb8\x96\xe7\x95\x8c, \xf0\x9f\x98\x80",
            "a\ttab, Gr\xc3\xbc\xc3\x9f"
            "e, \xe4\xb8\x96\xe7\x95\x8c, \xf0\x9f\x98\x80\n");
}

static void arbitrary_bytes_become_one_line_of_text(void **state)
{
    uint64_t random = 88172645463325252u;
    struct doca_log_backend *backend;
    char text[3000], line[6 * sizeof(text)];
    FILE *file = tmpfile();

    (void)state;
    assert_int_equal(DOCA_SUCCESS, doca_log_backend_create_with_file(file, &backend));
    for (int round = 0; round < 300; ++round) {
        size_t length = (size_t)round * 10 + 1;
        ssize_t got;

        for (size_t i = 0; i < length; ++i) {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            text[i] = (char)(random >> 32) == 0 ? '\n' : (char)(random >> 32);
        }
        rewind(file);
        assert_int_equal(0, ftruncate(fileno(file), 0));
        DOCA_LOG_INFO("%.*s", (int)length, text);

        got = pread(fileno(file), line, sizeof(line), 0);
        assert_true(got > 0 && line[got - 1] == '\n');
        assert_true(wire_is_text((const uint8_t *)line, (size_t)got));
        for (ssize_t i = 0; i < got - 1; ++i)
            assert_true(line[i] == '\t' || ((unsigned char)line[i] >= ' ' && line[i] != 127));
    }
    retire(backend);
    fclose(file);
}

static void a_line_longer_than_the_buffer_is_truncated(void **state)
{
    char text[2000];

    (void)state;
    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';

    DOCA_LOG_INFO("%s", text);

    assert_int_equal(1, recorder.lines);
    assert_int_equal(sizeof(recorder.buffer) - 1, strlen(recorder.buffer));
}

static void long_lines_are_written_completely_to_a_file(void **state)
{
    struct doca_log_backend *backend;
    char text[5000], line[6000];
    FILE *file = tmpfile();

    (void)state;
    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    assert_int_equal(DOCA_SUCCESS, doca_log_backend_create_with_file(file, &backend));

    assert_int_equal(DOCA_SUCCESS, DOCA_LOG(DOCA_LOG_LEVEL_INFO, "%s", text));

    rewind(file);
    assert_non_null(fgets(line, sizeof(line), file));
    assert_non_null(strstr(line, text));
    assert_int_equal('\n', line[strlen(line) - 1]);
    retire(backend);
    fclose(file);
}

static void lines_are_written_immediately_to_a_descriptor(void **state)
{
    struct doca_log_backend *backend;
    char line[512];
    int ends[2];
    ssize_t length;

    (void)state;
    assert_int_equal(0, pipe(ends));
    assert_int_equal(DOCA_SUCCESS, doca_log_backend_create_with_fd(ends[1], &backend));

    DOCA_LOG_INFO("through the pipe");

    length = read(ends[0], line, sizeof(line) - 1);
    assert_true(length > 0);
    line[length] = '\0';
    assert_non_null(strstr(line, "through the pipe\n"));
    retire(backend);
    close(ends[0]);
    close(ends[1]);
}

static void a_backend_that_cannot_write_returns_an_error(void **state)
{
    struct doca_log_backend *backend;
    FILE *file = fopen("/dev/full", "w");

    (void)state;
    assert_non_null(file);
    assert_int_equal(DOCA_SUCCESS, doca_log_backend_create_with_file(file, &backend));

    assert_int_equal(DOCA_ERROR_IO_FAILED, DOCA_LOG(DOCA_LOG_LEVEL_INFO, "too much"));

    assert_int_equal(1, recorder.lines);
    retire(backend);
    fclose(file);
}

static void null_arguments_are_rejected(void **state)
{
    struct doca_log_backend *backend;
    char buffer[8];

    (void)state;
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_log_backend_create_with_file(NULL, &backend));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_log_backend_create_with_file(stderr, NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_log_backend_create_with_fd(-1, &backend));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_log_backend_create_with_fd(2, NULL));
    assert_int_equal(
            DOCA_ERROR_INVALID_VALUE, doca_log_backend_create_with_buf(NULL, 8, record, &backend));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_log_backend_create_with_buf(buffer, 0, record, &backend));
    assert_int_equal(
            DOCA_ERROR_INVALID_VALUE, doca_log_backend_create_with_buf(buffer, 8, NULL, &backend));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_log_backend_create_with_syslog(NULL, &backend));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_log_backend_create_with_syslog("x", NULL));
    assert_int_equal(
            DOCA_ERROR_INVALID_VALUE, doca_log_backend_create_with_file_sdk(NULL, &backend));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_log_backend_create_with_fd_sdk(2, NULL));
    assert_int_equal(
            DOCA_ERROR_INVALID_VALUE, doca_log_backend_create_with_syslog_sdk(NULL, &backend));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_log_backend_set_level_lower_limit(NULL, DOCA_LOG_LEVEL_INFO));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_log_backend_set_level_lower_limit_strict(NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_log_backend_set_level_upper_limit_strict(NULL));
    assert_int_equal(
            DOCA_ERROR_INVALID_VALUE, doca_log_backend_set_sdk_level(NULL, DOCA_LOG_LEVEL_INFO));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_log_register_source(NULL, &log_source));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_log_register_source("NAME", NULL));
}

static void an_unregistered_source_is_rejected(void **state)
{
    int source;

    (void)state;
    assert_int_equal(DOCA_SUCCESS, doca_log_register_source("PASSING", &source));
    assert_int_equal(DOCA_SUCCESS, doca_log(DOCA_LOG_LEVEL_INFO, source, "f", 1, "g", "in"));
    assert_non_null(strstr(recorder.buffer, "[PASSING]"));

    assert_int_equal(DOCA_SUCCESS, doca_log_unregister_source(source));
    assert_int_equal(
            DOCA_ERROR_INVALID_VALUE, doca_log(DOCA_LOG_LEVEL_INFO, source, "f", 1, "g", "out"));
    assert_int_equal(
            DOCA_ERROR_INVALID_VALUE, doca_log(DOCA_LOG_LEVEL_INFO, 0, "f", 1, "g", "out"));
    assert_int_equal(
            DOCA_ERROR_INVALID_VALUE, doca_log(DOCA_LOG_LEVEL_INFO, -1, "f", 1, "g", "out"));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_log_unregister_source(source));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_log_unregister_source(1 << 20));
}

static void file_and_function_may_be_null(void **state)
{
    (void)state;
    assert_int_equal(
            DOCA_SUCCESS, doca_log(DOCA_LOG_LEVEL_INFO, log_source, NULL, 0, NULL, "from nowhere"));
    assert_int_equal(1, recorder.lines);
}

static void log_again(char *line)
{
    record(line);
    assert_int_equal(DOCA_ERROR_NOT_PERMITTED, DOCA_LOG(DOCA_LOG_LEVEL_INFO, "again"));
}

static void logging_in_a_callback_is_rejected_and_does_not_recurse(void **state)
{
    (void)state;
    retire(recorder.backend);
    recorder.lines = 0;
    doca_log_backend_create_with_buf(
            recorder.buffer, sizeof(recorder.buffer), log_again, &recorder.backend);

    DOCA_LOG_INFO("once");

    assert_int_equal(1, recorder.lines);
    assert_non_null(strstr(recorder.buffer, "once"));
}

static void *log_many(void *argument)
{
    int i, source;

    for (i = 0; i < LINES; ++i) {
        doca_log_register_source("THREAD", &source);
        doca_log(DOCA_LOG_LEVEL_INFO, source, "f", i, "g", "<%s>", (const char *)argument);
        doca_log_unregister_source(source);
    }
    return NULL;
}

static void lines_of_several_threads_are_not_interleaved(void **state)
{
    static char names[THREADS][101];
    struct doca_log_backend *backend;
    pthread_t threads[THREADS];
    int i, lines = 0;
    FILE *file = tmpfile();
    char line[512];

    (void)state;
    doca_log_backend_create_with_file(file, &backend);
    for (i = 0; i < THREADS; ++i) {
        memset(names[i], 'a' + i, sizeof(names[i]) - 1);
        assert_int_equal(0, pthread_create(&threads[i], NULL, log_many, names[i]));
    }
    for (i = 0; i < THREADS; ++i)
        pthread_join(threads[i], NULL);
    retire(backend);

    rewind(file);
    while (fgets(line, sizeof(line), file) != NULL) {
        const char *start = strchr(line, '<');

        assert_non_null(strstr(line, "[THREAD]"));
        assert_non_null(start);
        assert_int_equal(0, strncmp(start + 1, names[start[1] - 'a'], 100));
        assert_string_equal(">\n", start + 101);
        lines++;
    }
    assert_int_equal(THREADS * LINES, lines);
    fclose(file);
}

/* Replaces an absent syslog daemon. Returns -1 if the machine has one. */
static int listen_for_syslog(const struct sockaddr_un *address)
{
    const struct sockaddr *name = (const struct sockaddr *)address;
    int fd = socket(AF_UNIX, SOCK_DGRAM, 0);

    if (connect(fd, name, sizeof(*address)) != 0 && errno == ECONNREFUSED)
        unlink(address->sun_path); /* of a process that has exited */
    if (bind(fd, name, sizeof(*address)) == 0)
        return fd;
    close(fd);
    return -1;
}

static void syslog_receives_name_priority_and_message(void **state)
{
    struct sockaddr_un address = { .sun_family = AF_UNIX, .sun_path = "/dev/log" };
    int fd = listen_for_syslog(&address);
    struct doca_log_backend *backend;
    char line[1024];
    ssize_t length;

    (void)state;
    if (fd < 0)
        skip(); /* this machine has a syslog daemon, or /dev is not writable */
    assert_int_equal(DOCA_SUCCESS, doca_log_backend_create_with_syslog("jurom-test", &backend));

    DOCA_LOG_ERR("to the system");

    length = recv(fd, line, sizeof(line) - 1, MSG_DONTWAIT);
    unlink(address.sun_path);
    close(fd);
    assert_true(length > 0);
    line[length] = '\0';
    assert_int_equal(0, strncmp(line, "<11>", 4)); /* user, error */
    assert_non_null(strstr(line, "jurom-test["));
    assert_non_null(strstr(line, "to the system"));
    retire(backend);
}

#define RECORDED(test) cmocka_unit_test_setup_teardown(test, start_recording, stop_recording)
int main(void)
{
    const struct CMUnitTest tests[] = {
        RECORDED(a_line_has_time_thread_level_source_location_and_message),
        RECORDED(a_trailing_newline_of_the_caller_is_not_doubled),
        RECORDED(a_message_is_one_line_without_control_characters),
        RECORDED(arbitrary_bytes_become_one_line_of_text),
        RECORDED(a_line_longer_than_the_buffer_is_truncated),
        RECORDED(long_lines_are_written_completely_to_a_file),
        RECORDED(lines_are_written_immediately_to_a_descriptor),
        RECORDED(a_backend_that_cannot_write_returns_an_error),
        RECORDED(null_arguments_are_rejected),
        RECORDED(an_unregistered_source_is_rejected),
        RECORDED(file_and_function_may_be_null),
        RECORDED(logging_in_a_callback_is_rejected_and_does_not_recurse),
        RECORDED(lines_of_several_threads_are_not_interleaved),
        RECORDED(syslog_receives_name_priority_and_message),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
