/* SPDX-License-Identifier: Apache-2.0 */
/* Output to the standard streams. Backends are permanent, so each test has its own process. */
#include "cmocka_all.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <doca_log.h>

#include <common/sdk_log.h>

DOCA_LOG_REGISTER(STANDARD_TEST)
SDK_LOG_REGISTER(STANDARD_TEST::SDK)

struct output {
    char out[2048];
    char error[2048];
};

static void read_all(FILE *file, char *text, size_t size)
{
    rewind(file);
    text[fread(text, 1, size - 1, file)] = '\0';
    fclose(file);
}

/* Runs `body` in a child process and returns its output. */
static struct output output_of(void (*body)(void))
{
    struct output output;
    FILE *out = tmpfile(), *error = tmpfile();
    int status;
    pid_t child;

    assert_non_null(out);
    assert_non_null(error);
    fflush(NULL);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(fileno(out), STDOUT_FILENO);
        dup2(fileno(error), STDERR_FILENO);
        body();
        _exit(0);
    }
    assert_int_equal(child, waitpid(child, &status, 0));
    assert_int_equal(0, status);
    read_all(out, output.out, sizeof(output.out));
    read_all(error, output.error, sizeof(output.error));
    return output;
}

static void log_all(void)
{
    DOCA_LOG_CRIT("critical");
    DOCA_LOG_ERR("error");
    DOCA_LOG_WARN("warning");
    DOCA_LOG_INFO("information");
    DOCA_LOG_DBG("debugging");
    SDK_LOG_CRIT("from inside");
}

static void *log_all_in_a_thread(void *argument)
{
    log_all();
    return argument;
}

static void log_to_standard_streams(void)
{
    pthread_t thread;

    doca_log_backend_create_standard();
    doca_log_backend_create_standard();
    if (pthread_create(&thread, NULL, log_all_in_a_thread, NULL) == 0)
        pthread_join(thread, NULL);
}

static void log_errors_to_standard_streams(void)
{
    doca_log_backend_create_standard();
    doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_ERROR);
    log_all();
}

static int count(const char *text, const char *part)
{
    int found = 0;

    for (text = strstr(text, part); text != NULL; text = strstr(text + 1, part))
        found++;
    return found;
}

static void without_a_backend_nothing_is_written(void **state)
{
    struct output output = output_of(log_all);

    (void)state;
    assert_string_equal("", output.out);
    assert_string_equal("", output.error);
}

static void warnings_and_errors_go_to_standard_error_and_other_messages_to_standard_output(
        void **state)
{
    struct output output = output_of(log_to_standard_streams);

    (void)state;
    assert_int_equal(1, count(output.out, "\n"));
    assert_int_equal(1, count(output.out, "information"));
    assert_int_equal(3, count(output.error, "\n"));
    assert_int_equal(1, count(output.error, "critical"));
    assert_int_equal(1, count(output.error, "error\n"));
    assert_int_equal(1, count(output.error, "warning"));
}

static void the_standard_streams_follow_the_global_limit(void **state)
{
    struct output output = output_of(log_errors_to_standard_streams);

    (void)state;
    assert_string_equal("", output.out);
    assert_int_equal(2, count(output.error, "\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_backend_nothing_is_written),
        cmocka_unit_test(
                warnings_and_errors_go_to_standard_error_and_other_messages_to_standard_output),
        cmocka_unit_test(the_standard_streams_follow_the_global_limit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
