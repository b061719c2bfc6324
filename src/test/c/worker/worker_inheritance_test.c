/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A worker inherits no terminal, session keyring or high priority from its service. The tests run
 * in a session that has all of them. Most of them need root.
 */
#include <fcntl.h>
#include <linux/ioprio.h>
#include <linux/keyctl.h>
#include <pwd.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <plugins_under_test/puppet.h>

#include "launching.h"

#define OTHER_USER "games" /* an account that every Debian system has */
#define SECRET "secret"
#define TEST_CGROUP "/sys/fs/cgroup/unified/jurom-test"

static char witness[PATH_MAX];

/* As the service does for another user. That user can write the log file of the plugin. */
static void launch_as_other(void)
{
    static char variable[PATH_MAX + sizeof(PUPPET_WITNESS)];
    const struct passwd *user = getpwnam(OTHER_USER);

    if (geteuid() != 0 || user == NULL)
        skip();
    it.frame.launch.flags |= WIRE_FLAG_CHANGE_USER;
    it.frame.launch.user_id = user->pw_uid;
    it.frame.launch.group_id = user->pw_gid;
    assert_int_equal(0, chmod(it.worker.directory, 0755));
    path_in(witness, it.worker.directory, "witness");
    write_text(witness, "");
    assert_int_equal(0, chown(witness, user->pw_uid, user->pw_gid));
    snprintf(variable, sizeof(variable), PUPPET_WITNESS "=%s", witness);
    worker_add_variable(&it.frame.launch, it.environment, variable);
    launching_go(&it);
}

static void assert_witnessed(const char *line)
{
    char *text = read_text(witness);

    if (strstr(text, line) == NULL)
        fail_msg("the plugin noted, instead of \"%s\":\n%s", line, text);
    free(text);
}

static void a_worker_has_no_terminal(void **state)
{
    int terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);

    (void)state;
    assert_true(terminal >= 0); /* this process has a terminal */
    close(terminal);
    launch_as_other();

    assert_witnessed("terminal: No such device or address\n");
    assert_int_equal(it.worker.pid, getsid(it.worker.pid));
    worker_stop(&it.worker);
}

static void a_process_that_probes_a_plugin_has_no_terminal(void **state)
{
    pid_t child;

    (void)state;
    path_in(witness, it.worker.directory, "witness");
    child = fork();
    if (child == 0) {
        setenv(PUPPET_WITNESS, witness, 1);
        execl(UROM_WORKER, UROM_WORKER, "--probe", WORKER_PUPPET, NULL);
        _exit(127);
    }
    assert_int_equal(0, await_exit(child, EXIT_MS));

    assert_witnessed("terminal: No such device or address\n");
}

static void a_worker_cannot_read_the_services_session_keyring(void **state)
{
    long key;

    (void)state;
    if (syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL) < 0)
        skip();
    key = syscall(
            SYS_add_key, "user", PUPPET_KEY, SECRET, sizeof(SECRET), KEY_SPEC_SESSION_KEYRING);
    assert_true(key >= 0);
    assert_int_equal(0, syscall(SYS_keyctl, KEYCTL_SETPERM, key, 0x3f3f3f3f));
    launching_tear_down(NULL);
    launching_set_up(NULL);
    launch_as_other();

    assert_witnessed("key: Required key not available\n");
    worker_stop(&it.worker);
}

/* Starts the launcher again, which inherits the new attributes of this process. */
static void launch_again(void)
{
    launching_tear_down(NULL);
    launching_set_up(NULL);
    launch_as_other();
}

static void set_oom_score(const char *score)
{
    int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

    (void)!write(fd, score, strlen(score));
    close(fd);
}

static void a_worker_has_no_higher_priority_than_its_user(void **state)
{
    const struct sched_param high = { .sched_priority = 1 }, ordinary = { .sched_priority = 0 };

    (void)state;
    if (geteuid() != 0 || sched_setscheduler(0, SCHED_FIFO, &high) != 0)
        skip();
    assert_int_equal(0, sched_setscheduler(0, SCHED_OTHER, &ordinary));
    assert_int_equal(0, setpriority(PRIO_PROCESS, 0, -5));
    assert_int_equal(0,
            syscall(SYS_ioprio_set, IOPRIO_WHO_PROCESS, 0, IOPRIO_PRIO_VALUE(IOPRIO_CLASS_RT, 4)));
    set_oom_score("-500"); /* requires CAP_SYS_RESOURCE, so failure is permitted */
    assert_int_equal(0, sched_setscheduler(0, SCHED_FIFO, &high));
    launch_again();
    assert_int_equal(0, sched_setscheduler(0, SCHED_OTHER, &ordinary));

    assert_int_equal(SCHED_OTHER, sched_getscheduler(it.worker.pid));
    assert_int_equal(0, getpriority(PRIO_PROCESS, (id_t)it.worker.pid));
    assert_int_not_equal(IOPRIO_CLASS_RT,
            IOPRIO_PRIO_CLASS(syscall(SYS_ioprio_get, IOPRIO_WHO_PROCESS, it.worker.pid)));
    launched_assert(&it, "oom_score_adj", "-", false);
    worker_stop(&it.worker);
    setpriority(PRIO_PROCESS, 0, 0);
    syscall(SYS_ioprio_set, IOPRIO_WHO_PROCESS, 0, 0);
    set_oom_score("0");
}

static void a_worker_ignores_and_blocks_no_signal_of_the_services(void **state)
{
    sigset_t blocked, before;

    (void)state;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    sigprocmask(SIG_BLOCK, &blocked, &before);
    signal(SIGINT, SIG_IGN);
    launch_again();
    signal(SIGINT, SIG_DFL);
    sigprocmask(SIG_SETMASK, &before, NULL);

    launched_assert(&it, "status", "SigBlk:\t0000000000000000", true);
    assert_int_equal(0, process_number(it.worker.pid, "SigIgn:", 16) & 1 << (SIGINT - 1));
    assert_int_equal(0, process_number(it.worker.pid, "SigIgn:", 16) & 1 << (SIGTERM - 1));
    worker_stop(&it.worker);
}

static void files_of_a_worker_are_its_users_alone(void **state)
{
    mode_t before = umask(0);

    (void)state;
    launch_again();
    umask(before);

    launched_assert(&it, "status", "Umask:\t0077", true);
    worker_stop(&it.worker);
}

static void a_worker_joins_its_configured_cgroup(void **state)
{
    (void)state;
    if (geteuid() != 0 || (mkdir(TEST_CGROUP, 0755) != 0 && access(TEST_CGROUP, W_OK) != 0))
        skip();
    it.frame.launch.cgroup.data = (const uint8_t *)TEST_CGROUP;
    it.frame.launch.cgroup.length = strlen(TEST_CGROUP);
    launch_as_other();

    launched_assert(&it, "cgroup", "0::/jurom-test", true);
    worker_stop(&it.worker);
    rmdir(TEST_CGROUP);
}

static void a_worker_starts_also_where_its_cgroup_is_not_there(void **state)
{
    char *log;

    (void)state;
    it.frame.launch.cgroup.data = (const uint8_t *)"/nowhere";
    it.frame.launch.cgroup.length = strlen("/nowhere");
    launching_go(&it);

    log = read_text(it.worker.log);
    assert_non_null(strstr(log, "/nowhere/cgroup.procs: No such file or directory"));
    free(log);
    worker_stop(&it.worker);
}

/* Gives this process, a session leader, a controlling terminal. */
static bool take_terminal(void)
{
    int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);

    return master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0
            && open(ptsname(master), O_RDWR | O_CLOEXEC) >= 0;
}

static int run_in_session(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, launching_set_up, launching_tear_down)
        TEST(a_worker_has_no_terminal),
        TEST(a_process_that_probes_a_plugin_has_no_terminal),
        TEST(a_worker_cannot_read_the_services_session_keyring),
        TEST(a_worker_has_no_higher_priority_than_its_user),
        TEST(a_worker_ignores_and_blocks_no_signal_of_the_services),
        TEST(files_of_a_worker_are_its_users_alone),
        TEST(a_worker_joins_its_configured_cgroup),
        TEST(a_worker_starts_also_where_its_cgroup_is_not_there),
    };

    if (setsid() < 0 || !take_terminal())
        return EXIT_FAILURE;
    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void)
{
    pid_t child = fork();
    int status;

    if (child == 0)
        exit(run_in_session());
    return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status)
                                                                    : EXIT_FAILURE;
}
