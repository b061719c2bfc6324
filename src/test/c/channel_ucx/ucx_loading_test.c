/* SPDX-License-Identifier: Apache-2.0 */
/* Loading of UCX, with our settings and no others. */
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <doca_log.h>

#include <channel/libraries.h>
#include <testing/assertions.h>
#include <testing/logged.h>
#include <temporary.h>

#define SETTINGS "UCX_RNDV_THRESH=plenty\n" /* with these devices, UCX cannot be initialized */

static const int signals[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGHUP };
#define SIGNALS (sizeof(signals) / sizeof(*signals))
static struct sigaction before[SIGNALS];
static char folder[PATH_MAX];
static const struct ucx_library *library;

/* UCX is not loaded before. */
static int make_a_folder_with_settings(void **state)
{
    FILE *file;

    (void)state;
    for (size_t i = 0; i < SIGNALS; ++i)
        assert_int_equal(0, sigaction(signals[i], NULL, &before[i]));
    snprintf(folder, sizeof(folder), "%s/ucx_loading_test.XXXXXX", temporary_folder());
    assert_non_null(mkdtemp(folder));
    assert_int_equal(0, chdir(folder));
    file = fopen("ucx.conf", "w");
    assert_non_null(file);
    assert_true(fputs(SETTINGS, file) >= 0);
    assert_int_equal(0, fclose(file));
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink("ucx.conf");
    return chdir("/") == 0 && rmdir(folder) == 0 ? 0 : -1;
}

/* Runs before UCX is loaded, in a process that cannot open files. */
static void a_library_that_cannot_be_loaded_is_reported(void **state)
{
    const struct rlimit no_files = { 0 };
    char reason[UCX_REASON_MAX] = "";
    pid_t child = fork();
    int status;

    (void)state;
    if (child == 0) {
        setrlimit(RLIMIT_NOFILE, &no_files);
        _exit(ucx_library_load(reason, sizeof(reason)) != NULL
                || strstr(reason, "libjurom_channel_ucx.so, which cannot be loaded: ") == NULL);
    }
    assert_int_equal(child, waitpid(child, &status, 0));
    assert_int_equal(0, status);
}

/* Loads UCX for the tests that follow. */
static void a_loaded_library_has_no_reason(void **state)
{
    char reason[UCX_REASON_MAX] = "";

    (void)state;
    library = ucx_library_load(reason, sizeof(reason));
    assert_string_equal("", reason);
    assert_non_null(library);
}

static doca_error_t open_and_close(const char *devices, char reason[UCX_REASON_MAX])
{
    struct ucx_link *link = NULL;
    doca_error_t status = library->open(devices, "lo", &link, reason);

    if (status == DOCA_SUCCESS)
        library->close(link, false);
    return status;
}

static void settings_in_the_working_directory_are_not_read(void **state)
{
    char reason[UCX_REASON_MAX] = "";
    char now[PATH_MAX];

    (void)state;
    if (open_and_close("", reason) != DOCA_SUCCESS)
        fail_msg("%s", reason);
    assert_string_equal(folder, getcwd(now, sizeof(now)));
}

static void signals_are_left_alone(void **state)
{
    (void)state;
    for (size_t i = 0; i < SIGNALS; ++i) {
        struct sigaction now;

        assert_int_equal(0, sigaction(signals[i], NULL, &now));
        assert_true(now.sa_handler == before[i].sa_handler);
    }
}

static void what_ucx_logs_is_logged_for_debugging(void **state)
{
    char reason[UCX_REASON_MAX] = "";

    (void)state;
    log_keep();
    assert_true(open_and_close("nosuch0", reason) != DOCA_SUCCESS);
    assert_false(log_has("UCX WARN"));
    assert_non_null(strstr(reason, "\"nosuch0\""));
    assert_non_null(strstr(reason, "UCX_NET_DEVICES"));

    assert_success(doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_DEBUG));
    assert_true(open_and_close("nosuch0", reason) != DOCA_SUCCESS);
    assert_logged("UCX WARN");
}

static void a_forked_child_cannot_use_ucx(void **state)
{
    char reason[UCX_REASON_MAX] = "";
    pid_t child = fork();
    int status;

    (void)state;
    if (child == 0)
        _exit(ucx_library_load(reason, sizeof(reason)) != NULL || strstr(reason, "forked") == NULL);
    assert_int_equal(child, waitpid(child, &status, 0));
    assert_int_equal(0, status);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_library_that_cannot_be_loaded_is_reported),
        cmocka_unit_test(a_loaded_library_has_no_reason),
        cmocka_unit_test(settings_in_the_working_directory_are_not_read),
        cmocka_unit_test(signals_are_left_alone),
        cmocka_unit_test(what_ucx_logs_is_logged_for_debugging),
        cmocka_unit_test(a_forked_child_cannot_use_ucx),
    };

    return cmocka_run_group_tests(tests, make_a_folder_with_settings, remove_folder);
}
