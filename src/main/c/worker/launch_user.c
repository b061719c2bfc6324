/* SPDX-License-Identifier: Apache-2.0 */
/* From the service's user to the worker's, with no way back. */
#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <pwd.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <faults/faults.h>

#include "launcher.h"

#define UID_NOBODY 65534 /* whom the kernel shows for users that a namespace does not know */
#define GID_NOBODY 65534

static doca_error_t refuse(const struct wire_launch *launch, const char *reason, char why[WHY_MAX])
{
    return because(why, DOCA_ERROR_NOT_PERMITTED, "no worker can run as user %u: %s.",
            launch->user_id, reason);
}

/*
 * Drops all capabilities but these, also what a service without root's uid was started with: it
 * would outlast the change of user. The bounding set follows where the service may change it;
 * no_new_privs keeps the rest of it from being gained.
 */
static bool keep_capabilities(uint64_t kept)
{
    struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
    struct __user_cap_data_struct data[2];

    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); /* EINVAL: too old to have any */
    for (int number = 0; prctl(PR_CAPBSET_READ, number, 0, 0, 0) >= 0; ++number) {
        if (!(kept >> number & 1))
            prctl(PR_CAPBSET_DROP, number, 0, 0, 0);
    }
    if (syscall(SYS_capget, &header, data) != 0)
        return false;
    for (unsigned i = 0; i < 2; ++i) {
        data[i].permitted &= (uint32_t)(kept >> 32 * i);
        data[i].effective = data[i].permitted;
        data[i].inheritable = 0;
    }
    return syscall(SYS_capset, &header, data) == 0;
}

static bool change(const struct wire_launch *launch, const char *name)
{
    return initgroups(name, launch->group_id) == 0
            && setresgid(launch->group_id, launch->group_id, launch->group_id) == 0
            && setresuid(launch->user_id, launch->user_id, launch->user_id) == 0;
}

/* Whether one of the calls that would lead back works. */
static bool can_go_back(const struct wire_launch *launch, uid_t user, gid_t group)
{
    const uid_t keep = (uid_t)-1;

    return (launch->user_id != 0 && setresuid(keep, 0, keep) == 0)
            || (launch->user_id != user && setresuid(keep, user, keep) == 0)
            || (launch->user_id != 0 && launch->group_id != group
                    && setresgid(keep, group, keep) == 0);
}

doca_error_t launch_user(const struct wire_launch *launch, char why[WHY_MAX])
{
    uid_t user = geteuid();
    gid_t group = getegid();
    const struct passwd *account;

    FAULT_REACH(launcher_changing_user);
    if (launch->flags & WIRE_FLAG_CHANGE_USER) {
        account = launch->user_id == UID_NOBODY ? NULL : getpwuid(launch->user_id);
        if (account == NULL)
            return refuse(launch, "there is no account with that id", why);
        if (!change(launch, account->pw_name))
            return refuse(launch, strerror(errno), why);
    }
    if (!keep_capabilities(geteuid() == 0 ? launch->capabilities : 0))
        return refuse(launch, "its capabilities could not be dropped", why);
    if ((launch->flags & WIRE_FLAG_CHANGE_USER) && can_go_back(launch, user, group))
        return refuse(launch, "the change could be undone", why);
    return DOCA_SUCCESS;
}

doca_error_t launch_as_nobody(char why[WHY_MAX])
{
    if (setgroups(0, NULL) == 0 && setresgid(GID_NOBODY, GID_NOBODY, GID_NOBODY) == 0
            && setresuid(UID_NOBODY, UID_NOBODY, UID_NOBODY) == 0 && keep_capabilities(0)
            && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
            && prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) == 0) /* sanitizers look at themselves */
        return DOCA_SUCCESS;
    return because(why, DOCA_ERROR_NOT_PERMITTED,
            "a process for a plugin cannot give up what it "
            "may do: %s",
            strerror(errno));
}

/* No more than what this process itself may have. */
static bool lower_limit(uint32_t resource, uint64_t hard)
{
    struct rlimit limit;

    if (getrlimit(resource, &limit) != 0)
        return false;
    if (hard >= limit.rlim_max)
        return true;
    limit.rlim_max = hard;
    if (limit.rlim_cur > hard)
        limit.rlim_cur = hard;
    return setrlimit(resource, &limit) == 0;
}

static bool lower_limits(const struct wire_launch *launch)
{
    bool lowered = true;

    for (uint32_t resource = 0; lowered && resource < launch->limit_count; ++resource)
        lowered = lower_limit(resource, wire_launch_limit(launch, resource));
    return lowered;
}

doca_error_t launch_limits(const struct wire_launch *launch, char why[WHY_MAX])
{
    if (lower_limits(launch) && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
        return DOCA_SUCCESS;
    return because(
            why, DOCA_ERROR_OPERATING_SYSTEM, "a worker could not be limited: %s", strerror(errno));
}
