/* SPDX-License-Identifier: Apache-2.0 */
#include "process.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "assertions.h"
#include "temporary.h"

#define OPEN_DIRECTORIES 16

int await_exit(pid_t pid, unsigned milliseconds)
{
    int status = -1;

    await(waitpid(pid, &status, WNOHANG) == pid, milliseconds);
    return status;
}

/* Reads /proc/PID/FILE; empty if the process has exited. */
static char *read_proc(pid_t pid, const char *file)
{
    char path[64];

    snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, file);
    return read_text(path);
}

/* Reads the name, state and parent of a process. Returns false if it does not exist. */
static bool read_stat(pid_t pid, char name[32], char *letter, pid_t *parent)
{
    char *stat = read_proc(pid, "stat");
    char *behind = strrchr(stat, ')');
    char *before = strchr(stat, '(');
    bool found = false;

    if (before != NULL && behind != NULL) {
        snprintf(name, 32, "%.*s", (int)(behind - before - 1), before + 1);
        found = sscanf(behind + 1, " %c %d", letter, parent) == 2;
    }
    free(stat);
    return found;
}

bool process_is_gone(pid_t pid)
{
    char name[32], letter;
    pid_t parent;

    return !read_stat(pid, name, &letter, &parent) || letter == 'Z' || letter == 'X';
}

static bool is_in_state(pid_t pid, char state)
{
    char name[32], letter;
    pid_t parent;

    return read_stat(pid, name, &letter, &parent) && letter == state;
}

bool process_is_asleep(pid_t pid)
{
    return is_in_state(pid, 'S');
}

bool process_is_stopped(pid_t pid)
{
    return is_in_state(pid, 'T');
}

long process_number(pid_t pid, const char *name, int base)
{
    char *status = read_proc(pid, "status");
    const char *line = strstr(status, name);
    long number = -1;

    if (line != NULL)
        number = strtol(line + strlen(name) + 1, NULL, base);
    free(status);
    return number;
}

static bool descends_from(pid_t pid, pid_t ancestor)
{
    char name[32], letter;

    while (pid > 1 && pid != ancestor) {
        if (!read_stat(pid, name, &letter, &pid))
            return false;
    }
    return pid == ancestor;
}

unsigned find_processes(pid_t ancestor, const char *wanted, pid_t found[], unsigned capacity)
{
    DIR *directory = opendir("/proc");
    struct dirent *entry;
    unsigned count = 0;

    assert_non_null(directory);
    while ((entry = readdir(directory)) != NULL) {
        char name[32], letter;
        pid_t pid, parent;

        if (!isdigit((unsigned char)entry->d_name[0]))
            continue;
        pid = atoi(entry->d_name);
        if (read_stat(pid, name, &letter, &parent) && letter != 'Z' && strcmp(name, wanted) == 0
                && descends_from(pid, ancestor)) {
            if (count < capacity)
                found[count] = pid;
            ++count;
        }
    }
    closedir(directory);
    return count;
}

char *read_text(const char *path)
{
    FILE *file = fopen(path, "re");
    char *text = NULL;
    size_t capacity = 0;
    ssize_t length = -1;

    if (file != NULL) {
        length = getdelim(&text, &capacity, '\0', file);
        fclose(file);
    }
    if (length < 0) {
        free(text);
        text = strdup("");
    }
    assert_non_null(text);
    return text;
}

void write_text(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

    assert_true(fd >= 0);
    assert_int_equal(strlen(text), write(fd, text, strlen(text)));
    close(fd);
}

void make_directory(char path[PATH_MAX])
{
    path_in(path, temporary_folder(), "jurom-test-XXXXXX");
    assert_non_null(mkdtemp(path));
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *place)
{
    (void)status;
    (void)type;
    (void)place;
    return remove(path);
}

void remove_directory(const char *path)
{
    nftw(path, remove_one, OPEN_DIRECTORIES, FTW_DEPTH | FTW_PHYS);
}

void path_in(char path[PATH_MAX], const char *directory, const char *name)
{
    assert_in_range(snprintf(path, PATH_MAX, "%s/%s", directory, name), 1, PATH_MAX - 1);
}
