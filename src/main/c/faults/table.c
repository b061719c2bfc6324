/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "table.h"

#define WORKER_NAME "urom_worker"
#define ANCESTORS 2            /* the launcher and the service */
#define ENVIRONMENT_MAX 131072 /* bytes of the parent's environment that are searched */

struct fault_table *faults_table;
enum fault_role faults_role = FAULT_ROLE_HOST;

static int is_table(const struct fault_table *table)
{
    return table->magic == FAULTS_MAGIC && table->version == FAULTS_VERSION
            && table->rows == FAULTS_ROWS && table->row_size == sizeof(struct fault_row)
            && table->events == FAULTS_EVENTS && table->event_size == sizeof(struct fault_event);
}

struct fault_table *faults_map(const char *path)
{
    int fd = open(path, O_RDWR | O_CLOEXEC);
    struct stat status;
    void *at = MAP_FAILED;

    if (fd < 0)
        return NULL;
    if (fstat(fd, &status) == 0 && status.st_size >= (off_t)sizeof(struct fault_table))
        at = mmap(NULL, sizeof(struct fault_table), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (at != MAP_FAILED && !is_table(at)) {
        munmap(at, sizeof(struct fault_table));
        at = MAP_FAILED;
    }
    return at == MAP_FAILED ? NULL : at;
}

/* Reads a file of /proc, truncated to `capacity` and NUL-terminated. */
static size_t read_file(const char *path, char *bytes, size_t capacity)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    size_t length = 0;
    ssize_t count;

    if (fd >= 0) {
        while ((count = read(fd, bytes + length, capacity - 1 - length)) > 0)
            length += (size_t)count;
        close(fd);
    }
    bytes[length] = '\0';
    return length;
}

/* Maps the table in the environment of a process. Returns NULL if it has none. */
static struct fault_table *map_of(pid_t process)
{
    const size_t name = strlen(FAULTS_VARIABLE "=");
    char *environment = mmap(
            NULL, ENVIRONMENT_MAX, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct fault_table *table = NULL;
    char path[64];
    size_t length;

    if (environment == MAP_FAILED)
        return NULL;
    snprintf(path, sizeof(path), "/proc/%d/environ", (int)process);
    length = read_file(path, environment, ENVIRONMENT_MAX);
    for (char *at = environment; at < environment + length; at += strlen(at) + 1) {
        if (strncmp(at, FAULTS_VARIABLE "=", name) == 0) {
            table = faults_map(at + name);
            break;
        }
    }
    munmap(environment, ENVIRONMENT_MAX);
    return table;
}

static pid_t parent_of(pid_t process)
{
    char path[64], text[512];
    const char *name_end;
    int parent = 0;

    snprintf(path, sizeof(path), "/proc/%d/stat", (int)process);
    read_file(path, text, sizeof(text));
    name_end = strrchr(text, ')'); /* then the state and the parent */
    return name_end != NULL && sscanf(name_end, ") %*c %d", &parent) == 1 ? parent : 0;
}

/*
 * Maps the table of the service, which is the parent of the launcher and whose environment neither
 * the launcher nor a worker inherits.
 */
static struct fault_table *map_ancestors(void)
{
    struct fault_table *table = NULL;
    pid_t ancestor = getppid();

    for (int i = 0; i < ANCESTORS && table == NULL && ancestor > 0; ++i) {
        table = map_of(ancestor);
        ancestor = parent_of(ancestor);
    }
    return table;
}

__attribute__((constructor)) static void find_table(void)
{
    const char *path = getenv(FAULTS_VARIABLE);
    int error = errno;

    if (strcmp(program_invocation_short_name, WORKER_NAME) == 0)
        faults_role = FAULT_ROLE_WORKER;
    faults_table = path == NULL ? map_ancestors() : path[0] == '\0' ? NULL : faults_map(path);
    errno = error;
}
