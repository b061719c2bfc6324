/* SPDX-License-Identifier: Apache-2.0 */
/* Without UCX_TLS, a plugin talks over shared memory alone: nobody reaches it by a network. */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/socket.h>

#include <cmocka_all.h>

#include "plugin_instance.h"

#define DESCRIPTORS 1024

static unsigned count_network_sockets(void)
{
    unsigned count = 0;

    for (int fd = 0; fd < DESCRIPTORS; ++fd) {
        struct sockaddr_storage name;
        socklen_t length = sizeof(name);

        count += getsockname(fd, (struct sockaddr *)&name, &length) == 0
                && name.ss_family != AF_UNIX;
    }
    return count;
}

static void open_and_count(const char *transports, bool expected)
{
    struct instance instance;
    unsigned before = count_network_sockets();

    if (transports == NULL)
        assert_int_equal(unsetenv("UCX_TLS"), 0);
    else
        assert_int_equal(setenv("UCX_TLS", transports, 1), 0);
    instance_open(&instance, PLUGIN_FILE, 1);
    assert_int_equal(count_network_sockets() > before, expected);
    instance_close(&instance);
}

static void a_plugin_has_no_network_socket(void **state)
{
    (void)state;
    open_and_count(NULL, false);
}

static void a_plugin_has_one_when_it_is_told_to(void **state)
{
    (void)state;
    open_and_count("tcp,self", true);
}

/* As in a container that was given little; seen by this process alone, and last for that reason. */
static void a_plugin_opens_where_shared_memory_has_no_room(void **state)
{
    (void)state;
    if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)
        skip();
    assert_int_equal(mount("none", "/dev/shm", "tmpfs", 0, "size=4k"), 0);
    open_and_count(NULL, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plugin_has_no_network_socket),
        cmocka_unit_test(a_plugin_has_one_when_it_is_told_to),
        cmocka_unit_test(a_plugin_opens_where_shared_memory_has_no_room),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
