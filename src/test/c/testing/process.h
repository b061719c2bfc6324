/* SPDX-License-Identifier: Apache-2.0 */
/* Other processes as the tests see them, and the files that they leave. */
#ifndef JUROM_TESTING_PROCESS_H_
#define JUROM_TESTING_PROCESS_H_

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

/* The wait status of the child `pid`, which must end within `milliseconds`. */
int await_exit(pid_t pid, unsigned milliseconds);

/* Whether no process has this id, or only a dead one that nobody has waited for. */
bool process_is_gone(pid_t pid);

/* Whether it waits for something just now. */
bool process_is_asleep(pid_t pid);

/* The number behind `name` in /proc/PID/status, read in `base`; -1 when it is not there. */
long process_number(pid_t pid, const char *name, int base);

/*
 * The living processes of this name that have `ancestor` among their forebears, or are it: how many,
 * and in `found` the first `capacity` of them.
 */
unsigned find_processes(pid_t ancestor, const char *name, pid_t found[], unsigned capacity);

/* The whole file as a string, to be freed; empty when there is no such file. */
char *read_text(const char *path);

/* Writes `text` to a file that only its owner may read. */
void write_text(const char *path, const char *text);

/* Makes a private directory, and removes it with all that is in it. */
void make_directory(char path[PATH_MAX]);
void remove_directory(const char *path);

/* `directory`/`name` in `path`. */
void path_in(char path[PATH_MAX], const char *directory, const char *name);

#endif /* JUROM_TESTING_PROCESS_H_ */
