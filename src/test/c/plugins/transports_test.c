/* SPDX-License-Identifier: Apache-2.0 */
/* Without UCX_TLS, a plugin uses only shared memory, and is not reachable by network. */
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

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

static void a_plugin_has_network_sockets_when_requested(void **state)
{
    (void)state;
    open_and_count("tcp,self", true);
}

/* Counts the files of UCX in /dev/shm. */
static unsigned count_segments(void)
{
    DIR *folder = opendir("/dev/shm");
    struct dirent *entry;
    unsigned count = 0;

    assert_non_null(folder);
    while ((entry = readdir(folder)) != NULL)
        count += strncmp(entry->d_name, "ucx_shm_posix_", 14) == 0;
    closedir(folder);
    return count;
}

/* Mounts a private /dev/shm, because other tests of this user create and remove files. */
static void take_private_shared_memory(void)
{
    if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)
        skip();
    assert_int_equal(mount("none", "/dev/shm", "tmpfs", 0, "size=256m"), 0);
}

/* Starts a process that keeps a plugin open until it is killed. */
static pid_t start_process(void)
{
    struct instance instance;
    int ready[2];
    char byte;
    pid_t pid;

    assert_int_equal(pipe(ready), 0);
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        instance_open(&instance, PLUGIN_FILE, 1);
        if (write(ready[1], "", 1) == 1)
            pause();
        _exit(EXIT_FAILURE);
    }
    close(ready[1]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    return pid;
}

static void end_process(pid_t pid)
{
    assert_int_equal(kill(pid, SIGKILL), 0);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static void a_plugin_removes_the_shared_memory_of_killed_processes_and_of_no_others(void **state)
{
    struct instance instance;
    pid_t killed, living;
    unsigned of_one;

    (void)state;
    take_private_shared_memory();
    assert_int_equal(unsetenv("UCX_TLS"), 0);
    living = start_process();
    of_one = count_segments();
    assert_true(of_one > 0);
    killed = start_process();
    end_process(killed);
    assert_int_equal(count_segments(), 2 * of_one);

    instance_open(&instance, PLUGIN_FILE, 1);
    assert_int_equal(count_segments(), 2 * of_one); /* its own files, and those of live processes */
    end_process(living);
    instance_close(&instance);
    assert_int_equal(count_segments(), 0);
}

/* Opens a plugin beside `left` free bytes. Exits with 0 if it opens or names the folder. */
static void open_beside(off_t left)
{
    struct instance instance = { .ctx.plugin_ctx = NULL };
    doca_error_t (*get_iface)(struct urom_plugin_iface *);
    const char *(*get_refusal)(struct urom_worker_ctx *);
    void *library = dlopen(PLUGIN_FILE, RTLD_NOW | RTLD_LOCAL);
    int fd = open("/dev/shm/of-others", O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);

    if (library == NULL || posix_fallocate(fd, 0, (256 << 20) - left) != 0)
        _exit(1);
    *(void **)&get_iface = dlsym(library, "urom_plugin_get_iface");
    *(void **)&get_refusal = dlsym(library, "urom_plugin_get_refusal");
    if (get_refusal == NULL || get_iface(&instance.ctx.iface) != DOCA_SUCCESS)
        _exit(2);
    if (instance.ctx.iface.open(&instance.ctx) == DOCA_SUCCESS)
        _exit(left == 0 ? 3 : 0);
    _exit(strstr(get_refusal(&instance.ctx), "/dev/shm, which has") == NULL ? 4 : 0);
}

/* Any user of the machine can fill the folder. */
static void a_plugin_names_the_folder_that_others_have_filled(void **state)
{
    static const off_t left[] = { 0, 4096, 1 << 20, 4 << 20, 8 << 20 };

    (void)state;
    assert_int_equal(unsetenv("UCX_TLS"), 0);
    for (size_t i = 0; i < sizeof(left) / sizeof(left[0]); ++i) {
        pid_t pid = fork();
        int status;

        if (pid == 0) {
            take_private_shared_memory();
            open_beside(left[i]);
        }
        assert_int_equal(waitpid(pid, &status, 0), pid);
        print_message("%lld bytes left: status %d\n", (long long)left[i], status);
        assert_int_equal(status, 0);
    }
}

/* As in a container with a small /dev/shm. Affects only this process, and must be the last test. */
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
        cmocka_unit_test(a_plugin_has_network_sockets_when_requested),
        cmocka_unit_test(a_plugin_removes_the_shared_memory_of_killed_processes_and_of_no_others),
        cmocka_unit_test(a_plugin_names_the_folder_that_others_have_filled),
        cmocka_unit_test(a_plugin_opens_where_shared_memory_has_no_room),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
