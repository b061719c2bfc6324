/* SPDX-License-Identifier: Apache-2.0 */
/* Inspection of other processes, and temporary files. */
#ifndef JUROM_TESTING_PROCESS_H_
#define JUROM_TESTING_PROCESS_H_

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

/* Returns the wait status of the child `pid`, which must exit within `milliseconds`. */
int await_exit(pid_t pid, unsigned milliseconds);

/* Returns whether no process has this ID, or only a zombie. */
bool process_is_gone(pid_t pid);

/* Returns whether the process is sleeping, or stopped by a signal. */
bool process_is_asleep(pid_t pid);
bool process_is_stopped(pid_t pid);

/* Returns the value of `name` in /proc/PID/status, parsed in `base`, or -1 if it is missing. */
long process_number(pid_t pid, const char *name, int base);

/*
 * Finds the running processes of this name that are `ancestor` or its descendants. Returns their
 * number and stores the first `capacity` of them in `found`.
 */
unsigned find_processes(pid_t ancestor, const char *name, pid_t found[], unsigned capacity);

/* Returns the content of a file, to be freed by the caller; empty if the file does not exist. */
char *read_text(const char *path);

/* Writes `text` to a file readable by its owner only. */
void write_text(const char *path, const char *text);

/* Creates a private directory; removes a directory recursively. */
void make_directory(char path[PATH_MAX]);
void remove_directory(const char *path);

/* Stores `directory`/`name` in `path`. */
void path_in(char path[PATH_MAX], const char *directory, const char *name);

#endif /* JUROM_TESTING_PROCESS_H_ */
