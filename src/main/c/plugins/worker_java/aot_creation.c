/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Creation of a cache by a worker that found none. A process forked from the worker runs two JVMs,
 * of which the first records classes and the second writes the file, and then renames the file. It
 * calls only functions that are safe after a fork, because other plugins may have threads.
 */
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <doca_log.h>

#include "aot_creation.h"

DOCA_LOG_REGISTER(UROM::JAVA)

#define WORKER_FD 3 /* ends with the worker */
#define WORDS_MAX 80
#define LIMIT_SECONDS 60 /* of both JVMs */

struct words {
    char *at[WORDS_MAX + 1];
    unsigned count;
    bool failed;
};

struct creation {
    const char *settings_file; /* is locked meanwhile */
    const char *cache;
    char new_cache[PATH_MAX + sizeof(".new")];
    char configuration[PATH_MAX + sizeof(".conf")]; /* written by the first JVM */
    struct words record, create;
};

static __attribute__((format(printf, 2, 3))) void add(struct words *words, const char *pattern, ...)
{
    va_list arguments;

    va_start(arguments, pattern);
    if (words->count == WORDS_MAX || vasprintf(&words->at[words->count], pattern, arguments) < 0)
        words->failed = true;
    else
        ++words->count;
    va_end(arguments);
}

static void free_words(struct words *words)
{
    for (unsigned i = 0; i < words->count; ++i)
        free(words->at[i]);
}

/* Adds what both JVMs, and that of the worker, must have in common. */
static void add_common(struct words *words, const struct java_settings *settings)
{
    const char *next = settings->options;

    add(words, "-Xlog:disable");
    add(words, "--enable-native-access=ALL-UNNAMED");
    while (*(next += strspn(next, " ")) != '\0') {
        size_t length = strcspn(next, " ");

        add(words, "%.*s", (int)length, next);
        next += length;
    }
    add(words, "-cp");
    add(words, "%s", settings->class_path);
}

static void prepare(
        struct creation *creation, const struct java_settings *settings, const char *cache)
{
    *creation = (struct creation){ .settings_file = settings->file, .cache = cache };
    snprintf(creation->new_cache, sizeof(creation->new_cache), "%s.new", cache);
    snprintf(creation->configuration, sizeof(creation->configuration), "%s.conf", cache);

    add(&creation->record, "%s/bin/java", settings->java_home);
    add(&creation->record, "-XX:AOTMode=record");
    add(&creation->record, "-XX:AOTConfiguration=%s", creation->configuration);
    add_common(&creation->record, settings);
    add(&creation->record, "dev.jurom.worker.internal.HostedPlugin");
    add(&creation->record, "%s", settings->class_name);
    add(&creation->record, "unopened");

    add(&creation->create, "%s/bin/java", settings->java_home);
    add(&creation->create, "-XX:AOTMode=create");
    add(&creation->create, "-XX:AOTConfiguration=%s", creation->configuration);
    add(&creation->create, "-XX:AOTCache=%s", creation->new_cache);
    add_common(&creation->create, settings);
}

/* Becomes a JVM, which ends with its parent and is the first to end if memory is short. */
static void become(char *const *words)
{
    int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

    if (fd >= 0 && write(fd, "1000", 4) < 0) {
        /* it has the score of the worker */
    }
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) == 0)
        execv(words[0], words);
    _exit(EXIT_FAILURE);
}

/* Runs a JVM. Returns false if it fails, the worker ends, or the deadline passes. */
static bool run(char *const *words, time_t deadline)
{
    pid_t child = fork();
    struct pollfd ends[2] = { { .fd = WORKER_FD }, { .events = POLLIN } };
    struct timespec now;
    int status = -1;

    if (child == 0)
        become(words);
    if (child < 0)
        return false;
    ends[1].fd = (int)syscall(SYS_pidfd_open, child, 0);
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (ends[1].fd < 0 || now.tv_sec >= deadline
            || poll(ends, 2, (int)(deadline - now.tv_sec) * 1000) <= 0 || ends[0].revents != 0)
        kill(child, SIGKILL);
    waitpid(child, &status, 0);
    close(ends[1].fd);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Creates the cache, in a process of its own whose other descriptors are closed. */
static void create_file(const struct creation *creation)
{
    const struct sched_param none = { .sched_priority = 0 };
    int lock = open(creation->settings_file, O_RDONLY | O_CLOEXEC);
    struct timespec now;

    if (lock < 0 || flock(lock, LOCK_EX | LOCK_NB) != 0 || access(creation->cache, F_OK) == 0)
        return;
    sched_setscheduler(0, SCHED_IDLE, &none);
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (run(creation->record.at, now.tv_sec + LIMIT_SECONDS)
            && run(creation->create.at, now.tv_sec + LIMIT_SECONDS))
        rename(creation->new_cache, creation->cache);
    unlink(creation->new_cache);
    unlink(creation->configuration);
}

/* Called in a child of the worker. Its own child is not the worker's, which need not wait for it. */
static _Noreturn void leave_worker(const struct creation *creation, int worker_fd)
{
    int null;

    if (setsid() < 0 || fork() != 0)
        _exit(EXIT_SUCCESS);
    null = open("/dev/null", O_RDWR);
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd)
        dup2(null, fd);
    if (dup2(worker_fd, WORKER_FD) == WORKER_FD
            && syscall(SYS_close_range, WORKER_FD + 1, ~0U, 0) == 0)
        create_file(creation);
    _exit(EXIT_SUCCESS);
}

/* Returns whether this user can create files beside one. */
static bool is_folder_writable(const char *file)
{
    char folder[PATH_MAX];

    snprintf(folder, sizeof(folder), "%.*s", (int)(strrchr(file, '/') - file), file);
    return access(folder, W_OK) == 0;
}

void aot_cache_create(const struct java_settings *settings, const char *path)
{
    struct creation creation;
    int worker[2];
    pid_t child;

    if (path[0] == '\0' || !is_folder_writable(path) || pipe2(worker, O_CLOEXEC) != 0)
        return;
    prepare(&creation, settings, path);
    child = creation.record.failed || creation.create.failed ? -1 : fork();
    if (child == 0)
        leave_worker(&creation, worker[0]);
    close(worker[0]); /* the other end is closed when this process ends */
    if (child > 0) {
        waitpid(child, NULL, 0);
        DOCA_LOG_INFO("The plugin %s has no AOT cache: creating %s", settings->name, path);
    } else {
        close(worker[1]);
    }
    free_words(&creation.record);
    free_words(&creation.create);
}
