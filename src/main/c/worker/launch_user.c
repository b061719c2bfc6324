/* SPDX-License-Identifier: Apache-2.0 */
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

#include "launch_user.h"

#define UID_NOBODY 65534 /* the kernel shows it for users that the namespace does not map */
#define GID_NOBODY 65534

static doca_error_t fail(
        const struct wire_launch *launch, const char *cause, char reason[REASON_MAX])
{
    return fail_with(reason, DOCA_ERROR_NOT_PERMITTED, "no worker can run as user %u: %s",
            launch->user_id, cause);
}

/*
 * Drops all capabilities except these, including the ambient ones of a service that does not run as
 * root, which would survive the change of user. Drops them from the bounding set, too, if the
 * service may do that; otherwise no_new_privs prevents the worker from acquiring them.
 */
static bool keep_capabilities(uint64_t kept)
{
    struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
    struct __user_cap_data_struct data[2];

    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0,
            0); /* EINVAL: an old kernel without them */
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

static bool change_user(const struct wire_launch *launch, const char *name)
{
    return initgroups(name, launch->group_id) == 0
            && setresgid(launch->group_id, launch->group_id, launch->group_id) == 0
            && setresuid(launch->user_id, launch->user_id, launch->user_id) == 0;
}

/* Returns whether the process can regain its former user or group. */
static bool can_change_back(const struct wire_launch *launch, uid_t user, gid_t group)
{
    const uid_t keep = (uid_t)-1;

    return (launch->user_id != 0 && setresuid(keep, 0, keep) == 0)
            || (launch->user_id != user && setresuid(keep, user, keep) == 0)
            || (launch->user_id != 0 && launch->group_id != group
                    && setresgid(keep, group, keep) == 0);
}

doca_error_t launch_user(const struct wire_launch *launch, char reason[REASON_MAX])
{
    uid_t user = geteuid();
    gid_t group = getegid();
    const struct passwd *account;

    FAULT_REACH(launcher_changing_user);
    if (launch->flags & WIRE_FLAG_CHANGE_USER) {
        account = launch->user_id == UID_NOBODY ? NULL : getpwuid(launch->user_id);
        if (account == NULL)
            return fail(launch, "there is no account with that id", reason);
        if (!change_user(launch, account->pw_name))
            return fail(launch, strerror(errno), reason);
    }
    if (!keep_capabilities(geteuid() == 0 ? launch->capabilities : 0))
        return fail(launch, "its capabilities could not be dropped", reason);
    if ((launch->flags & WIRE_FLAG_CHANGE_USER) && can_change_back(launch, user, group))
        return fail(launch, "the change could be undone", reason);
    return DOCA_SUCCESS;
}

static bool leave_user_for(uid_t user)
{
    return setgroups(0, NULL) == 0 && setresgid(GID_NOBODY, GID_NOBODY, GID_NOBODY) == 0
            && setresuid(user, user, user) == 0;
}

static bool drop_privileges(void)
{
    return keep_capabilities(0) && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
}

doca_error_t launch_as_nobody(char reason[REASON_MAX])
{
    if (leave_user_for(UID_NOBODY) && drop_privileges()
            && prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) == 0) /* sanitizers trace their own process */
        return DOCA_SUCCESS;
    return fail_with(reason, DOCA_ERROR_NOT_PERMITTED,
            "the process that probes a plugin cannot drop its privileges: %s", strerror(errno));
}

doca_error_t launch_as(uid_t user, char reason[REASON_MAX])
{
    if ((geteuid() == user || leave_user_for(user)) && drop_privileges())
        return DOCA_SUCCESS;
    return fail_with(reason, DOCA_ERROR_NOT_PERMITTED, "the process cannot switch to user %u: %s",
            (unsigned)user, strerror(errno));
}

/* Lowers the limit to `hard`, unless the limit of this process is already lower. */
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

doca_error_t launch_limits(const struct wire_launch *launch, char reason[REASON_MAX])
{
    if (lower_limits(launch) && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
        return DOCA_SUCCESS;
    return fail_with(reason, DOCA_ERROR_OPERATING_SYSTEM,
            "the worker's limits could not be set: %s", strerror(errno));
}
