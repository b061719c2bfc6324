/* SPDX-License-Identifier: Apache-2.0 */
/* Workers that run as other users than the service. Most tests require root. */
#include <grp.h>
#include <linux/capability.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"
#include "launching.h"

#define OTHER_USER "games" /* accounts that every Debian system has */
#define STRANGER "daemon"
#define NO_ACCOUNT 4242
#define NOBODY 65534
#define TEST_GROUPS 4
#define OWN_GROUPS_MAX 1024

/* Other users may not be able to read a build in a home directory. */
static bool can_execute(const struct passwd *user, const char *path)
{
    bool executable;

    assert_int_equal(0, seteuid(user->pw_uid));
    executable = eaccess(path, X_OK) == 0;
    assert_int_equal(0, seteuid(0));
    return executable;
}

/* The user of the worker. */
static const struct passwd *account(void)
{
    const struct passwd *found = getpwnam(OTHER_USER);

    if (geteuid() != 0 || found == NULL || !can_execute(found, UROM_WORKER))
        skip();
    return found;
}

/* As the service does for another user: creates directories that others can enter. */
static void launch_as(const struct passwd *user)
{
    it.frame.launch.flags |= WIRE_FLAG_CHANGE_USER;
    it.frame.launch.user_id = user->pw_uid;
    it.frame.launch.group_id = user->pw_gid;
    assert_int_equal(0, chmod(it.worker.directory, 0755));
    launching_go(&it);
}

static void the_worker_becomes_the_user_for_good(void **state)
{
    const struct passwd *user = account();
    char line[128];

    (void)state;
    launch_as(user);

    snprintf(line, sizeof(line), "Uid:\t%u\t%u\t%u\t%u\n", user->pw_uid, user->pw_uid, user->pw_uid,
            user->pw_uid);
    launched_assert(&it, "status", line, true);
    snprintf(line, sizeof(line), "Gid:\t%u\t%u\t%u\t%u\n", user->pw_gid, user->pw_gid, user->pw_gid,
            user->pw_gid);
    launched_assert(&it, "status", line, true);
    launched_assert(&it, "status", "CapPrm:\t0000000000000000", true);
    launched_assert(&it, "status", "CapEff:\t0000000000000000", true);
    launched_assert(&it, "status", "CapInh:\t0000000000000000", true);
    launched_assert(&it, "status", "CapAmb:\t0000000000000000", true);
    launched_assert(&it, "status", "NoNewPrivs:\t1", true);
    worker_stop(&it.worker);
}

/* The service has supplementary groups, which the worker must not inherit. */
static void the_groups_are_those_of_the_account(void **state)
{
    const gid_t of_service[TEST_GROUPS] = { 0, 1, 2, 3 };
    const struct passwd *user = account();
    gid_t own[OWN_GROUPS_MAX];
    int own_count = getgroups(OWN_GROUPS_MAX, own);
    char expected[64];

    (void)state;
    assert_true(own_count >= 0);
    launching_tear_down(NULL);
    assert_int_equal(0, setgroups(TEST_GROUPS, of_service));
    launching_set_up(NULL);
    assert_int_equal(0, setgroups((size_t)own_count, own));
    launch_as(user);

    snprintf(expected, sizeof(expected), "Groups:\t%u \n", user->pw_gid);
    launched_assert(&it, "status", expected, true);
    worker_stop(&it.worker);
}

static void the_socket_belongs_to_the_user(void **state)
{
    const struct passwd *user = account();
    struct stat status;

    (void)state;
    launch_as(user);

    assert_int_equal(0, stat(it.worker.socket, &status));
    assert_int_equal(user->pw_uid, status.st_uid);
    assert_int_equal(0600, status.st_mode & 07777);
    worker_stop(&it.worker);
}

static void a_user_without_an_account_gets_no_worker(void **state)
{
    static const uint32_t users[] = { NO_ACCOUNT, NOBODY, UINT32_MAX };

    (void)state;
    account();
    for (size_t i = 0; i < sizeof(users) / sizeof(users[0]); ++i) {
        launching_tear_down(NULL);
        launching_set_up(NULL);
        it.frame.launch.flags |= WIRE_FLAG_CHANGE_USER;
        it.frame.launch.user_id = users[i];
        it.frame.launch.group_id = users[i];
        launching_fails(&it, DOCA_ERROR_NOT_PERMITTED, "there is no account with that id");
    }
}

/* Runs a host of this user in its own process. Returns 0 if it was served. */
static int be_host(const struct passwd *user, const struct channel_address *address,
        const struct channel_ticket *ticket)
{
    struct channel_settings settings = { .max_message_size = LAUNCHED_MESSAGE_SIZE };
    uint64_t deadline = deadline_in(ANSWER_MS);
    struct channel_receiver receiver = { .begin_payload = NULL };
    struct channel *channel;

    settings.receiver = &receiver;
    if (setgroups(0, NULL) != 0 || setgid(user->pw_gid) != 0 || setuid(user->pw_uid) != 0)
        return 2;
    if (channel_connect_worker(address, ticket, &settings, &channel) != DOCA_SUCCESS)
        return 3;
    while (channel_status(channel) == DOCA_ERROR_IN_PROGRESS && !deadline_has_passed(deadline))
        channel_poll(channel, 1);
    return channel_status(channel) == DOCA_SUCCESS ? 0 : 1;
}

static int run_host(const struct passwd *user, const struct channel_address *address,
        const struct channel_ticket *ticket)
{
    pid_t child = fork();

    if (child == 0)
        _exit(be_host(user, address, ticket));
    return WEXITSTATUS(await_exit(child, ANSWER_MS));
}

static void hosts_of_its_user_are_accepted_and_others_are_not(void **state)
{
    struct passwd user = *account(), stranger = user;
    struct channel_address address;
    struct channel_ticket ticket;

    (void)state;
    stranger.pw_uid = getpwnam(STRANGER)->pw_uid;
    launch_as(&user);
    worker_give_ticket(&it.worker, SESSION, TICKET_MS, &ticket, &address);

    assert_int_not_equal(0, run_host(&stranger, &address, &ticket));
    assert_int_equal(0, run_host(&user, &address, &ticket));
    worker_stop(&it.worker);
}

/* Also as root: the host detects that the worker belongs to another user. */
static void a_worker_of_another_user_is_not_believed(void **state)
{
    struct passwd user = *account(), root = user;
    struct channel_address address;
    struct channel_ticket ticket;

    (void)state;
    root.pw_uid = 0;
    root.pw_gid = 0;
    launch_as(&user);
    worker_give_ticket(&it.worker, SESSION, TICKET_MS, &ticket, &address);

    assert_int_not_equal(0, run_host(&root, &address, &ticket));
    worker_stop(&it.worker);
}

/* The launcher itself runs as another user. */
static void a_service_without_the_right_to_it_cannot_change_users(void **state)
{
    struct passwd user = *account();
    uid_t stranger = getpwnam(STRANGER)->pw_uid;

    (void)state;
    launching_tear_down(NULL);
    assert_int_equal(0, setresuid(stranger, stranger, 0));
    launching_set_up(NULL);
    assert_int_equal(0, setresuid(0, 0, 0));
    it.frame.launch.flags = WIRE_FLAG_CHANGE_USER;
    it.frame.launch.socket_path.length = 0;
    it.frame.launch.user_id = user.pw_uid;
    it.frame.launch.group_id = user.pw_gid;

    launching_fails(&it, DOCA_ERROR_NOT_PERMITTED, "Operation not permitted");
}

/* Sets the capabilities that executed programs keep. */
static void lend_capabilities(bool lend)
{
    static const int lent[] = { CAP_SETUID, CAP_SETGID, CAP_CHOWN };
    struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
    struct __user_cap_data_struct data[2];

    assert_int_equal(0, prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0));
    assert_int_equal(0, syscall(SYS_capget, &header, data));
    data[0].effective = data[0].permitted;
    data[0].inheritable = 0;
    for (unsigned i = 0; lend && i < 3; ++i)
        data[0].inheritable |= 1u << lent[i];
    assert_int_equal(0, syscall(SYS_capset, &header, data));
    for (unsigned i = 0; lend && i < 3; ++i)
        assert_int_equal(0, prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, lent[i], 0, 0));
}

/* Such capabilities persist across a change of the user unless they are dropped. */
static void a_service_with_capabilities_alone_keeps_them_to_itself(void **state)
{
    const struct passwd *user = account();
    uid_t stranger = getpwnam(STRANGER)->pw_uid;

    (void)state;
    launching_tear_down(NULL);
    assert_int_equal(0, setresuid(stranger, stranger, 0));
    lend_capabilities(true);
    launching_set_up(NULL);
    lend_capabilities(false);
    assert_int_equal(0, setresuid(0, 0, 0));
    launch_as(user);

    launched_assert(&it, "status", "CapInh:\t0000000000000000", true);
    launched_assert(&it, "status", "CapPrm:\t0000000000000000", true);
    launched_assert(&it, "status", "CapEff:\t0000000000000000", true);
    launched_assert(&it, "status", "CapAmb:\t0000000000000000", true);
    worker_stop(&it.worker);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, launching_set_up, launching_tear_down)
        TEST(the_worker_becomes_the_user_for_good),
        TEST(the_groups_are_those_of_the_account),
        TEST(the_socket_belongs_to_the_user),
        TEST(a_user_without_an_account_gets_no_worker),
        TEST(hosts_of_its_user_are_accepted_and_others_are_not),
        TEST(a_worker_of_another_user_is_not_believed),
        TEST(a_service_without_the_right_to_it_cannot_change_users),
        TEST(a_service_with_capabilities_alone_keeps_them_to_itself),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
