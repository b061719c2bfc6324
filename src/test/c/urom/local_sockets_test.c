/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The processes of a local service have no Internet sockets, no abstract Unix sockets, and no files
 * in /dev/shm.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <testing/contexts.h>
#include <testing/daemon.h>
#include <testing/process.h>

#define SOCKETS_MAX 256

/* The inodes of the open sockets of a process. */
struct sockets {
    unsigned long inode[SOCKETS_MAX];
    unsigned count;
};

static void list_sockets(pid_t pid, struct sockets *sockets)
{
    char path[64], link[64], target[64];
    struct dirent *entry;
    DIR *directory;

    *sockets = (struct sockets){ .count = 0 };
    snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
    directory = opendir(path);
    assert_non_null(directory);
    while ((entry = readdir(directory)) != NULL) {
        ssize_t length;

        snprintf(link, sizeof(link), "%.20s/%.20s", path, entry->d_name);
        length = readlink(link, target, sizeof(target) - 1);
        target[length < 0 ? 0 : length] = '\0';
        if (sscanf(target, "socket:[%lu]", &sockets->inode[sockets->count]) == 1)
            assert_true(++sockets->count < SOCKETS_MAX);
    }
    closedir(directory);
}

static bool has(const struct sockets *sockets, unsigned long inode)
{
    for (unsigned i = 0; i < sockets->count; ++i) {
        if (sockets->inode[i] == inode)
            return true;
    }
    return false;
}

/*
 * Returns how many of the sockets are in this table of /proc/net, where the inode is the word
 * number `column`. Counts only lines that contain `mark`.
 */
static unsigned count_in(
        const char *table, int column, const char *mark, const struct sockets *sockets)
{
    char path[64];
    unsigned count = 0;
    char *text, *rest, *line;

    snprintf(path, sizeof(path), "/proc/net/%s", table);
    text = rest = read_text(path);
    while ((line = strtok_r(rest, "\n", &rest)) != NULL) {
        bool marked = mark == NULL || strstr(line, mark) != NULL;
        char *words = line, *word = NULL;

        for (int i = 0; i <= column; ++i)
            word = strtok_r(words, " ", &words);
        count += marked && word != NULL && has(sockets, strtoul(word, NULL, 10));
    }
    free(text);
    return count;
}

static void assert_private(const char *who, pid_t pid)
{
    static const char *const internet[] = { "tcp", "tcp6", "udp", "udp6", "raw", "raw6" };
    struct sockets sockets;
    char path[64];
    char *maps;

    list_sockets(pid, &sockets);
    if (sockets.count == 0)
        fail_msg("%s has no sockets: the test inspects the wrong process", who);
    for (size_t i = 0; i < sizeof(internet) / sizeof(internet[0]); ++i) {
        if (count_in(internet[i], 9, NULL, &sockets) > 0)
            fail_msg("%s has a socket in /proc/net/%s", who, internet[i]);
    }
    assert_true(count_in("unix", 6, NULL, &sockets) > 0);
    if (count_in("unix", 6, " @", &sockets) > 0)
        fail_msg("%s has an abstract Unix socket", who);

    snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
    maps = read_text(path);
    if (strstr(maps, "/dev/shm") != NULL)
        fail_msg("%s has mapped a file of /dev/shm", who);
    if (strstr(maps, "libuc") != NULL)
        fail_msg("%s has loaded UCX", who);
    free(maps);
}

static void a_local_service_is_on_no_network(void **state)
{
    struct test_service service;
    struct test_worker worker;

    (void)state;
    service_open(&service);
    worker_open(&worker, service.pe, &service, "worker_puppet");
    assert_private("the host", getpid());
    assert_private("the service", the_daemon.pid);
    assert_private("the worker", process_of(&worker, plugin_id(&service, "worker_puppet")));
    worker_close(&worker);
    service_close(&service);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_local_service_is_on_no_network),
    };

    return cmocka_run_group_tests(tests, daemon_set_up, daemon_tear_down);
}
