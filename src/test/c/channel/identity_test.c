/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of the owner and mode of key files. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <channel/channel.h>
#include <testing/assertions.h>
#include <testing/process.h>

#define OTHER_USER 54321
#define WAIT_MS 20000

static char directory[PATH_MAX];
static char path[PATH_MAX];

static int set_up(void **state)
{
    (void)state;
    make_directory(directory);
    path_in(path, directory, "key");
    write_text(path, "fake key");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    remove_directory(directory);
    return 0;
}

static doca_error_t read_key(const char *from)
{
    struct channel_identity *identity = NULL;
    char reason[512] = "";
    doca_error_t status = channel_identity_read(from, &identity, reason, sizeof(reason));

    if (status == DOCA_SUCCESS)
        channel_identity_free(identity);
    else
        assert_non_null(strstr(reason, from));
    return status;
}

static void a_private_file_is_used(void **state)
{
    (void)state;
    assert_success(read_key(path));
    assert_int_equal(0, chmod(path, 0400));
    assert_success(read_key(path));
}

static void a_file_that_others_may_read_or_write_is_rejected(void **state)
{
    (void)state;
    assert_int_equal(0, chmod(path, 0604));
    assert_status(DOCA_ERROR_NOT_PERMITTED, read_key(path));
    assert_int_equal(0, chmod(path, 0620));
    assert_status(DOCA_ERROR_NOT_PERMITTED, read_key(path));
}

static void a_symbolic_link_is_rejected(void **state)
{
    char other[PATH_MAX];

    (void)state;
    path_in(other, directory, "link");
    assert_int_equal(0, symlink(path, other));
    assert_status(DOCA_ERROR_NOT_PERMITTED, read_key(other));
}

static void a_path_that_is_not_a_file_is_rejected(void **state)
{
    char other[PATH_MAX];

    (void)state;
    assert_status(DOCA_ERROR_NOT_PERMITTED, read_key(directory));
    path_in(other, directory, "pipe");
    assert_int_equal(0, mkfifo(other, 0600));
    assert_status(DOCA_ERROR_NOT_PERMITTED, read_key(other));
    path_in(other, directory, "nothing");
    assert_status(DOCA_ERROR_NOT_FOUND, read_key(other));
}

static void a_long_file_is_rejected(void **state)
{
    (void)state;
    assert_int_equal(0, truncate(path, 65537));
    assert_status(DOCA_ERROR_NOT_PERMITTED, read_key(path));
}

static void a_file_without_a_key_is_rejected(void **state)
{
    (void)state;
    write_text(path, "no key");
    assert_status(DOCA_ERROR_INVALID_VALUE, read_key(path));
}

/* Reads the file as another user, optionally its owner or a member of its group. */
static void assert_read_by_another(doca_error_t expected, gid_t group)
{
    pid_t child = fork();
    int status;

    if (child == 0) {
        if (setresgid(group, group, group) != 0
                || setresuid(OTHER_USER, OTHER_USER, OTHER_USER) != 0)
            _exit(100);
        _exit(read_key(path) == expected ? 0 : 1);
    }
    status = await_exit(child, WAIT_MS);
    assert_true(WIFEXITED(status));
    assert_int_equal(0, WEXITSTATUS(status));
}

static void roots_own_file_is_used_by_its_group(void **state)
{
    (void)state;
    if (geteuid() != 0)
        skip();
    assert_int_equal(0, chmod(directory, 0755));
    assert_int_equal(0, chown(path, 0, OTHER_USER));
    assert_int_equal(0, chmod(path, 0440));
    assert_read_by_another(DOCA_SUCCESS, OTHER_USER);
    assert_int_equal(0, chmod(path, 0640));
    assert_read_by_another(DOCA_ERROR_NOT_PERMITTED, OTHER_USER);
}

static void a_file_of_a_third_user_is_rejected(void **state)
{
    (void)state;
    if (geteuid() != 0)
        skip();
    assert_int_equal(0, chmod(directory, 0755));
    assert_int_equal(0, chown(path, OTHER_USER + 1, OTHER_USER));
    assert_int_equal(0, chmod(path, 0440));
    assert_read_by_another(DOCA_ERROR_NOT_PERMITTED, OTHER_USER);
    assert_status(DOCA_ERROR_NOT_PERMITTED, read_key(path));
}

#define test(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(a_private_file_is_used),
        test(a_file_that_others_may_read_or_write_is_rejected),
        test(a_symbolic_link_is_rejected),
        test(a_path_that_is_not_a_file_is_rejected),
        test(a_long_file_is_rejected),
        test(a_file_without_a_key_is_rejected),
        test(roots_own_file_is_used_by_its_group),
        test(a_file_of_a_third_user_is_rejected),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
