/* SPDX-License-Identifier: Apache-2.0 */
/* Loading and opening of plugins, and messages about failures. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"

#define MESSAGE_SIZE 4096
#define PLUGINS_MAX 62
#define NOBODY 65534
#define ARGUMENT_MAX (PATH_MAX + 32)

static struct worker_process worker;
static struct host host;

static int tear_down(void **state)
{
    (void)state;
    host_close(&host);
    worker_clean_up(&worker);
    return 0;
}

/* The worker must reject `argument`, after a valid one, with a message that contains `culprit`. */
static void assert_refused(const char *argument, doca_error_t status, const char *culprit)
{
    const char *const arguments[] = { WORKER_PUPPET ":2", argument, NULL };
    char text[4096];

    worker_launch(&worker, arguments);
    worker_configure(&worker, MESSAGE_SIZE, NULL);
    worker_expect(&worker, WIRE_ERROR);
    snprintf(text, sizeof(text), "%.*s", (int)worker.answer.error.text.length,
            (const char *)worker.answer.error.text.data);
    if (strstr(text, culprit) == NULL)
        fail_msg("\"%s\" does not name %s", text, culprit);
    assert_int_equal(status, worker.answer.error.status);
    worker_assert_logged(&worker, culprit);
    worker_await_failure(&worker);
}

static void an_argument_without_path_and_id_is_rejected(void **state)
{
    static const char *const ids[] = { "", ":", ":0", ":3", ":x", ":1x", ":-1", ":2",
        ":0x10000000000000000" };

    (void)state;
    for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); ++i) {
        char argument[ARGUMENT_MAX];

        snprintf(argument, sizeof(argument), "%s%s", WORKER_GRAPH, ids[i]);
        assert_refused(argument, DOCA_ERROR_INVALID_VALUE, argument);
    }
}

static void an_unusable_plugin_is_rejected_by_name(void **state)
{
    static const struct {
        const char *name;
        doca_error_t status;
        const char *culprit;
    } plugins[] = {
        { "there_is_none", DOCA_ERROR_NOT_FOUND, "there_is_none" },
        { "worker_no_version", DOCA_ERROR_NOT_FOUND, "urom_plugin_get_version" },
        { "worker_no_interface", DOCA_ERROR_NOT_FOUND, "urom_plugin_get_iface" },
        { "worker_interface_fails", DOCA_ERROR_DRIVER, "worker_interface_fails" },
        { "worker_operation_missing", DOCA_ERROR_INVALID_VALUE, "worker_operation_missing" },
        { "worker_open_fails", DOCA_ERROR_DRIVER, "worker_open_fails" },
        { "worker_address_fails", DOCA_ERROR_DRIVER, "worker_address_fails" },
        { "worker_address_grows", DOCA_ERROR_UNEXPECTED,
                "an address of 4096 bytes after it had asked for room for 16" },
        { "worker_address_unasked", DOCA_ERROR_INVALID_VALUE,
                "returned SUCCESS and a length of 16 from addr without a buffer" },
        { "worker_address_huge", DOCA_ERROR_TOO_BIG, "worker_address_huge" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof(plugins) / sizeof(plugins[0]); ++i) {
        char argument[ARGUMENT_MAX];

        snprintf(argument, sizeof(argument), BAD_PLUGINS "/%s.so:1", plugins[i].name);
        assert_refused(argument, plugins[i].status, plugins[i].culprit);
    }
}

static void a_text_file_is_no_plugin(void **state)
{
    char directory[PATH_MAX], path[PATH_MAX], argument[ARGUMENT_MAX];

    (void)state;
    make_directory(directory);
    path_in(path, directory, "text.so");
    write_text(path, "no library\n");
    snprintf(argument, sizeof(argument), "%s:1", path);
    assert_refused(argument, DOCA_ERROR_NOT_FOUND, path);
    remove_directory(directory);
}

static unsigned occurrences(const char *path, const char *text)
{
    char *log = read_text(path);
    unsigned count = 0;

    for (const char *at = strstr(log, text); at != NULL; at = strstr(at + 1, text))
        ++count;
    free(log);
    return count;
}

static void fail_to_start(const char *const arguments[])
{
    worker_launch(&worker, arguments);
    worker_configure(&worker, MESSAGE_SIZE, NULL);
    worker_expect(&worker, WIRE_ERROR);
    worker_await_failure(&worker);
}

static void a_plugin_whose_open_failed_is_not_closed(void **state)
{
    static const char *const arguments[] = { BAD_PLUGINS "/worker_open_fails.so:1", NULL };

    (void)state;
    fail_to_start(arguments);

    assert_int_equal(0, occurrences(worker.log, "faulty closed"));
}

static void a_plugin_that_was_opened_and_has_no_address_to_give_is_closed(void **state)
{
    static const char *const arguments[] = { BAD_PLUGINS "/worker_address_fails.so:1", NULL };

    (void)state;
    fail_to_start(arguments);

    assert_int_equal(1, occurrences(worker.log, "faulty closed"));
}

static void a_worker_opens_and_closes_each_of_62_plugins_once(void **state)
{
    static char argument[PLUGINS_MAX][ARGUMENT_MAX];
    const char *arguments[PLUGINS_MAX + 1];

    (void)state;
    for (unsigned i = 0; i < PLUGINS_MAX; ++i) {
        snprintf(argument[i], ARGUMENT_MAX, "%s:%" PRIu64, WORKER_PUPPET, UINT64_C(1) << i);
        arguments[i] = argument[i];
    }
    arguments[PLUGINS_MAX] = NULL;

    worker_launch(&worker, arguments);
    worker_configure(&worker, MESSAGE_SIZE, NULL);
    worker_expect(&worker, WIRE_READY);
    assert_int_equal(PLUGINS_MAX, occurrences(worker.log, "puppet opened"));

    worker_stop(&worker);

    assert_int_equal(PLUGINS_MAX, occurrences(worker.log, "puppet closed"));
}

/* Runs `urom_worker option path`. Returns its exit code and complete output. */
static int probe(const char *option, const char *path, char output[4096], char errors[4096])
{
    char directory[PATH_MAX], out[PATH_MAX], err[PATH_MAX], command[3 * PATH_MAX];
    char *text;
    int status;

    make_directory(directory);
    path_in(out, directory, "out");
    path_in(err, directory, "err");
    snprintf(command, sizeof(command), "'%s' %s '%s' >'%s' 2>'%s'", UROM_WORKER, option, path, out,
            err);
    status = system(command);
    text = read_text(out);
    snprintf(output, 4096, "%s", text);
    free(text);
    text = read_text(err);
    snprintf(errors, 4096, "%s", text);
    free(text);
    remove_directory(directory);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void a_probe_prints_the_version_of_a_plugin(void **state)
{
    char output[4096], errors[4096];

    (void)state;
    assert_int_equal(0, probe("--probe", WORKER_PUPPET, output, errors));
    assert_string_equal("version=7\nucx=yes\n", output); /* it declares nothing */
    assert_string_equal("", errors);
}

/* Services offer only plugins without UCX to any host of another machine. */
static void a_probe_prints_which_plugins_open_no_ucx(void **state)
{
    static const struct {
        const char *path;
        const char *line;
    } plugins[] = { { WORKER_GRAPH, "\nucx=no\n" }, { WORKER_COMPRESS, "\nucx=no\n" },
        { WORKER_SANDBOX, "\nucx=yes\n" }, { WORKER_RDMO, "\nucx=yes\n" } };
    char output[4096], errors[4096];

    (void)state;
    for (size_t i = 0; i < sizeof(plugins) / sizeof(plugins[0]); ++i) {
        assert_int_equal(0, probe("--probe", plugins[i].path, output, errors));
        if (strstr(output, plugins[i].line) == NULL)
            fail_msg("%s: %s", plugins[i].path, output);
    }
}

static void a_probe_says_in_one_line_why_a_file_is_no_plugin(void **state)
{
    static const char *const names[] = { "there_is_none", "worker_no_version",
        "worker_no_interface", "worker_interface_fails", "worker_operation_missing",
        "worker_version_fails" };

    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i) {
        char path[PATH_MAX], output[4096], errors[4096];

        snprintf(path, sizeof(path), BAD_PLUGINS "/%s.so", names[i]);
        assert_int_equal(1, probe("--probe", path, output, errors));
        assert_string_equal("", output);
        assert_non_null(strstr(errors, names[i]));
        assert_ptr_equal(strchr(errors, '\n'), errors + strlen(errors) - 1);
    }
}

/* Other users may not be able to read a build in a home directory. */
static bool nobody_can_read(const char *path)
{
    bool readable;

    assert_int_equal(0, seteuid(NOBODY));
    readable = eaccess(path, R_OK) == 0;
    assert_int_equal(0, seteuid(0));
    return readable;
}

static void root_can_probe_a_plugin_without_being_root(void **state)
{
    static const char path[] = BAD_PLUGINS "/worker_version_is_user.so";
    char output[4096], errors[4096];

    (void)state;
    if (geteuid() != 0 || !nobody_can_read(path))
        skip();
    assert_int_equal(0, probe("--probe", path, output, errors));
    assert_string_equal("version=0\nucx=yes\n", output);
    assert_int_equal(0, probe("--probe-as-nobody", path, output, errors));
    assert_string_equal("version=65534\nucx=yes\n", output);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_teardown(name, tear_down)
        TEST(an_argument_without_path_and_id_is_rejected),
        TEST(an_unusable_plugin_is_rejected_by_name),
        TEST(a_text_file_is_no_plugin),
        TEST(a_plugin_whose_open_failed_is_not_closed),
        TEST(a_plugin_that_was_opened_and_has_no_address_to_give_is_closed),
        TEST(a_worker_opens_and_closes_each_of_62_plugins_once),
        TEST(a_probe_prints_the_version_of_a_plugin),
        TEST(a_probe_prints_which_plugins_open_no_ucx),
        TEST(a_probe_says_in_one_line_why_a_file_is_no_plugin),
        TEST(root_can_probe_a_plugin_without_being_root),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
