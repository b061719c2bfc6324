/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the setup of a worker by the launcher; see LAUNCH in docs/wire.md. */
#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <worker/launch_files.h>

#include "launching.h"

#define OTHER_USER "games" /* an account that every Debian system has */

#define MEMORY_LIMIT (UINT64_C(1) << 50) /* bytes; required by sanitizers */
#define FILE_LIMIT 200

static void a_worker_has_the_environment_that_it_was_given_and_no_other(void **state)
{
    (void)state;
    it.frame.launch.environment_count = 0;
    it.frame.launch.environment.length = 0;
    worker_add_variable(&it.frame.launch, it.environment, "JUROM_TEST=some value");
    worker_add_variable(&it.frame.launch, it.environment, "EMPTY=");
    launching_go(&it);

    char *variables = launched_file(&it, "environ");

    assert_string_equal("JUROM_TEST=some value EMPTY= ", variables);
    free(variables);
    worker_stop(&it.worker);
}

static void a_variable_that_steers_the_loader_does_not_reach_the_launcher(void **state)
{
    char *log, *once;

    (void)state;
    worker_add_variable(&it.frame.launch, it.environment, "LD_PRELOAD=/nowhere/preloaded.so");
    launching_go(&it);

    log = read_text(it.worker.log);
    once = strstr(log, "/nowhere/preloaded.so");
    assert_non_null(once);
    assert_null(strstr(once + 1, "/nowhere/preloaded.so"));
    free(log);
    launched_assert(&it, "environ", "LD_PRELOAD=/nowhere/preloaded.so", true);
    worker_stop(&it.worker);
}

static void a_worker_gains_no_privileges_and_is_where_nothing_is_unmounted(void **state)
{
    char directory[PATH_MAX];

    (void)state;
    launching_go(&it);
    launched_link(&it, "cwd", directory);

    assert_string_equal("/", directory);
    launched_assert(&it, "status", "NoNewPrivs:\t1", true);
    launched_assert(&it, "cmdline", "urom_worker --serve " WORKER_GRAPH, true);
    launched_assert(&it, "comm", "urom_worker", true);
    worker_stop(&it.worker);
}

static void a_worker_inherits_no_descriptors_but_its_own(void **state)
{
    int leaked = open("/etc/passwd", O_RDONLY); /* no O_CLOEXEC */
    char target[PATH_MAX], path[64];

    (void)state;
    launching_tear_down(NULL);
    launching_set_up(NULL);
    launching_go(&it);

    for (int fd = 0; fd < 256; ++fd) {
        struct stat status;

        snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)it.worker.pid, fd);
        if (lstat(path, &status) != 0)
            continue;
        snprintf(path, sizeof(path), "fd/%d", fd);
        launched_link(&it, path, target);
        assert_string_not_equal("/etc/passwd", target);
    }
    close(leaked);
    worker_stop(&it.worker);
}

static void limits_are_set_and_others_are_not_touched(void **state)
{
    uint64_t limits[WIRE_LIMITS_MAX];
    struct rlimit own, its;

    (void)state;
    memset(limits, 0xFF, sizeof(limits)); /* none */
    limits[RLIMIT_DATA] = MEMORY_LIMIT;
    limits[RLIMIT_NOFILE] = FILE_LIMIT;
    it.frame.launch.limits = (const uint8_t *)limits;
    it.frame.launch.limit_count = WIRE_LIMITS_MAX;
    launching_go(&it);

    assert_int_equal(0, prlimit(it.worker.pid, RLIMIT_DATA, NULL, &its));
    assert_int_equal(MEMORY_LIMIT, its.rlim_cur);
    assert_int_equal(MEMORY_LIMIT, its.rlim_max);
    assert_int_equal(0, prlimit(it.worker.pid, RLIMIT_NOFILE, NULL, &its));
    assert_int_equal(FILE_LIMIT, its.rlim_cur);
    assert_int_equal(FILE_LIMIT, its.rlim_max);
    assert_int_equal(0, getrlimit(RLIMIT_CORE, &own));
    assert_int_equal(0, prlimit(it.worker.pid, RLIMIT_CORE, NULL, &its));
    assert_int_equal(own.rlim_cur, its.rlim_cur);
    assert_int_equal(own.rlim_max, its.rlim_max);
    worker_stop(&it.worker);
}

static void without_limits_there_are_none(void **state)
{
    struct rlimit own, its;

    (void)state;
    launching_go(&it);

    assert_int_equal(0, getrlimit(RLIMIT_DATA, &own));
    assert_int_equal(0, prlimit(it.worker.pid, RLIMIT_DATA, NULL, &its));
    assert_int_equal(own.rlim_cur, its.rlim_cur);
    assert_int_equal(0, getrlimit(RLIMIT_NOFILE, &own));
    assert_int_equal(0, prlimit(it.worker.pid, RLIMIT_NOFILE, NULL, &its));
    assert_int_equal(own.rlim_cur, its.rlim_cur);
    worker_stop(&it.worker);
}

static void the_socket_is_its_owners_alone(void **state)
{
    struct stat status;

    (void)state;
    launching_go(&it);

    assert_int_equal(0, stat(it.worker.socket, &status));
    assert_true(S_ISSOCK(status.st_mode));
    assert_int_equal(0600, status.st_mode & 07777);
    assert_int_equal(geteuid(), status.st_uid);
    worker_stop(&it.worker);
}

static void a_worker_that_has_no_local_hosts_has_no_socket(void **state)
{
    struct stat status;

    (void)state;
    it.frame.launch.flags = 0;
    it.frame.launch.socket_path.length = 0;
    launching_go(&it);

    assert_int_not_equal(0, stat(it.worker.socket, &status));
    worker_stop(&it.worker);
}

static void a_socket_that_cannot_be_made_is_named(void **state)
{
    (void)state;
    write_text(it.worker.socket, "");
    launching_fails(&it, DOCA_ERROR_IO_FAILED, it.worker.socket);
}

static void an_invalid_launch_frame_is_rejected(void **state)
{
    (void)state;
    it.frame = (struct wire_frame){ .type = WIRE_PING };
    launching_fails(&it, DOCA_ERROR_UNEXPECTED, "no LAUNCH frame on standard input");
}

static char cores[PATH_MAX];

/* Starts the launcher again, with a directory for cores. */
static void begin_with_cores(void)
{
    launching_tear_down(NULL);
    make_directory(cores);
    assert_int_equal(0, chmod(cores, 0711));
    setenv(LAUNCH_CORES, cores, 1);
    launching_set_up(NULL);
    unsetenv(LAUNCH_CORES);
}

static void assert_runs_in_folder_of(uid_t user)
{
    char folder[PATH_MAX], name[16], directory[PATH_MAX];
    struct stat status;

    launching_go(&it);
    snprintf(name, sizeof(name), "%u", (unsigned)user);
    path_in(folder, cores, name);
    launched_link(&it, "cwd", directory);
    assert_string_equal(folder, directory);
    assert_int_equal(0, lstat(folder, &status));
    assert_int_equal(S_IFDIR | 0700, status.st_mode);
    assert_int_equal(user, status.st_uid);
    assert_int_equal(0, rmdir(folder)); /* the worker's directory remains valid */
    worker_stop(&it.worker);
}

static void a_worker_runs_in_its_users_folder_for_cores(void **state)
{
    (void)state;
    begin_with_cores();
    assert_runs_in_folder_of(geteuid());
    remove_directory(cores);
}

static void a_worker_of_another_user_runs_in_a_folder_of_that_user(void **state)
{
    const struct passwd *user = getpwnam(OTHER_USER);

    (void)state;
    if (geteuid() != 0 || user == NULL)
        skip();
    begin_with_cores();
    it.frame.launch.flags |= WIRE_FLAG_CHANGE_USER;
    it.frame.launch.user_id = user->pw_uid;
    it.frame.launch.group_id = user->pw_gid;
    assert_int_equal(0, chmod(it.worker.directory, 0755));
    assert_runs_in_folder_of(user->pw_uid);
    remove_directory(cores);
}

/* A link, and a folder that others can read. */
static void a_folder_for_cores_that_is_not_the_users_alone_is_rejected(void **state)
{
    char folder[PATH_MAX], name[16];

    (void)state;
    snprintf(name, sizeof(name), "%u", (unsigned)geteuid());
    begin_with_cores();
    path_in(folder, cores, name);
    assert_int_equal(0, symlink("/tmp", folder));
    launching_fails(&it, DOCA_ERROR_OPERATING_SYSTEM, cores);
    remove_directory(cores);

    begin_with_cores();
    path_in(folder, cores, name);
    assert_int_equal(0, mkdir(folder, 0755));
    assert_int_equal(0, chmod(folder, 0755));
    launching_fails(&it, DOCA_ERROR_OPERATING_SYSTEM, cores);
    remove_directory(cores);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, launching_set_up, launching_tear_down)
        TEST(a_worker_has_the_environment_that_it_was_given_and_no_other),
        TEST(a_variable_that_steers_the_loader_does_not_reach_the_launcher),
        TEST(a_worker_gains_no_privileges_and_is_where_nothing_is_unmounted),
        TEST(a_worker_inherits_no_descriptors_but_its_own),
        TEST(limits_are_set_and_others_are_not_touched),
        TEST(without_limits_there_are_none),
        TEST(the_socket_is_its_owners_alone),
        TEST(a_worker_that_has_no_local_hosts_has_no_socket),
        TEST(a_socket_that_cannot_be_made_is_named),
        TEST(an_invalid_launch_frame_is_rejected),
        TEST(a_worker_runs_in_its_users_folder_for_cores),
        TEST(a_worker_of_another_user_runs_in_a_folder_of_that_user),
        TEST(a_folder_for_cores_that_is_not_the_users_alone_is_rejected),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
