/* SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host_counters.h"
#include "process_start.h"

#define NAME "h-%d-%u" COUNTERS_SUFFIX /* process id, number of the file within the process */
#define NAME_MAX_LENGTH 64
#define SHARED_DIRECTORY "hosts"
#define OTHERS_MAY_WRITE 022

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards the list; held during a fork */
static pthread_once_t registered = PTHREAD_ONCE_INIT;
static struct counters_file *open_files;

/*
 * Opens a directory that this user owns and no other may write to; -1: it is not such a directory.
 */
static int open_private(const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct stat status;

    if (fd >= 0
            && (fstat(fd, &status) != 0 || status.st_uid != geteuid()
                    || (status.st_mode & OTHERS_MAY_WRITE) != 0)) {
        close(fd);
        fd = -1;
    }
    return fd;
}

/* Finds the directory of this user's services, like RuntimeDirectory in Java. */
static void find_base_directory(char *base, size_t capacity)
{
    const char *runtime = secure_getenv("XDG_RUNTIME_DIR");
    int fd;

    if (geteuid() == 0 && access("/run", W_OK) == 0) {
        snprintf(base, capacity, "/run/jurom");
        return;
    }
    fd = geteuid() != 0 && runtime != NULL && runtime[0] == '/' ? open_private(runtime) : -1;
    if (fd >= 0) {
        close(fd);
        snprintf(base, capacity, "%s/jurom", runtime);
    } else {
        snprintf(base, capacity, "/tmp/jurom-%u", (unsigned)geteuid());
    }
}

/* Creates a directory unless it exists, and opens it; -1: this user does not own it. */
static int create_and_open(const char *path)
{
    if (mkdir(path, 0700) != 0 && errno != EEXIST)
        return -1;
    return open_private(path);
}

static int open_shared(char path[PATH_MAX])
{
    char base[PATH_MAX - sizeof("/" SHARED_DIRECTORY)];
    int fd;

    find_base_directory(base, sizeof(base));
    fd = create_and_open(base);
    if (fd < 0)
        return -1;
    close(fd);
    snprintf(path, PATH_MAX, "%s/" SHARED_DIRECTORY, base);
    return create_and_open(path);
}

/* Removes the files of killed hosts. The service does so in its own directory. */
static void remove_leftovers(int directory)
{
    int copy = dup(directory);
    DIR *all = copy < 0 ? NULL : fdopendir(copy);
    const struct dirent *entry;
    unsigned number;
    int process_id;

    if (all == NULL) {
        if (copy >= 0)
            close(copy);
        return;
    }
    while ((entry = readdir(all)) != NULL) {
        if (sscanf(entry->d_name, NAME, &process_id, &number) == 2
                && counters_process_start((uint64_t)process_id) == 0)
            unlinkat(directory, entry->d_name, 0);
    }
    closedir(all);
}

static int open_beside(const char *socket, char path[PATH_MAX])
{
    const char *end = socket == NULL ? NULL : strrchr(socket, '/');

    if (end == NULL || end == socket || end - socket >= PATH_MAX - NAME_MAX_LENGTH)
        return -1;
    snprintf(path, PATH_MAX, "%.*s", (int)(end - socket), socket);
    return open_private(path);
}

/* A file with this name is a leftover of an earlier process with the same id. */
static int create_file(int directory, const char *name)
{
    int fd = counters_make_file(directory, name);

    if (fd < 0 && errno == EEXIST && unlinkat(directory, name, 0) == 0)
        fd = counters_make_file(directory, name);
    return fd;
}

static struct counters *create_and_map(int directory, struct counters_file *file)
{
    static atomic_uint created;
    struct counters *counters = NULL;
    char name[NAME_MAX_LENGTH];
    size_t length = strlen(file->path);
    int fd;

    snprintf(name, sizeof(name), NAME, (int)getpid(), atomic_fetch_add(&created, 1) + 1);
    fd = create_file(directory, name);
    if (fd >= 0) {
        counters = counters_map(fd);
        if (counters == NULL)
            unlinkat(directory, name, 0);
    }
    if (counters == NULL || length + 1 + strlen(name) >= sizeof(file->path))
        file->path[0] = '\0';
    else
        snprintf(file->path + length, sizeof(file->path) - length, "/%s", name);
    return counters;
}

/*
 * A forked child counts in private copies of its parent's pages and ignores the files. A fork
 * handler switches the pages, so that counting remains one instruction: each command would
 * otherwise pay for a comparison of process ids. MADV_DONTFORK would unmap the pages in which the
 * child's contexts count, and MADV_WIPEONFORK does not apply to shared mappings.
 */
static void before_fork(void)
{
    pthread_mutex_lock(&lock);
}

static void in_parent(void)
{
    pthread_mutex_unlock(&lock);
}

static void in_child(void)
{
    for (struct counters_file *file = open_files; file != NULL; file = file->next) {
        counters_detach(file->counters);
        file->path[0] = '\0';
    }
    open_files = NULL;
    pthread_mutex_unlock(&lock);
}

static void register_fork_handlers(void)
{
    pthread_atfork(before_fork, in_parent, in_child);
}

static void add_to_list(struct counters_file *file)
{
    pthread_once(&registered, register_fork_handlers);
    pthread_mutex_lock(&lock);
    file->next = open_files;
    open_files = file;
    pthread_mutex_unlock(&lock);
}

static void remove_from_list(struct counters_file *file)
{
    struct counters_file **link = &open_files;

    pthread_mutex_lock(&lock);
    while (*link != NULL && *link != file)
        link = &(*link)->next;
    if (*link != NULL)
        *link = file->next;
    pthread_mutex_unlock(&lock);
}

bool counters_open(struct counters_file *file, const char *socket)
{
    int directory = open_beside(socket, file->path);

    if (directory < 0) {
        directory = open_shared(file->path);
        if (directory >= 0)
            remove_leftovers(directory);
    }
    if (directory >= 0) {
        file->counters = create_and_map(directory, file);
        close(directory);
    } else {
        file->path[0] = '\0';
    }
    if (file->counters == NULL)
        file->counters = counters_map_private();
    if (file->counters == NULL)
        return false;
    counters_begin(file->counters, COUNTERS_HOST, 0, program_invocation_short_name);
    add_to_list(file);
    return true;
}

void counters_close(struct counters_file *file)
{
    remove_from_list(file);
    if (file->path[0] != '\0')
        unlink(file->path);
    counters_unmap(file->counters);
    file->counters = NULL;
    file->path[0] = '\0';
}
