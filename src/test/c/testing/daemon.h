/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The UROM service as started by its launcher, with the worker program and plugins of this build.
 * Starting takes a second: use one service per test program, except in tests of its exit.
 */
#ifndef JUROM_TESTING_DAEMON_H_
#define JUROM_TESTING_DAEMON_H_

#include <limits.h>
#include <sys/types.h>

#define DAEMON_START_MS 60000
#define DAEMON_STOP_MS 15000
#define DAEMON_CORES 8 /* advertised, independent of the machine */

struct test_daemon {
    pid_t pid;                /* -1: not running */
    unsigned port;            /* loopback port for hosts with a key; 0: none */
    char directory[PATH_MAX]; /* contains the following paths; removed by daemon_stop */
    char socket[PATH_MAX];
    char service_file[PATH_MAX];
    char log_directory[PATH_MAX];
};

/*
 * Starts a service on a Unix socket and sets DOCA_UROM_SERVICE_FILE. `options` (terminated by NULL;
 * NULL: none) are passed to the service, for example an additional port to listen on.
 */
void daemon_start(struct test_daemon *daemon, const char *const options[]);

/*
 * Terminates the service by SIGTERM. Fails unless it exits, all workers exit, and no worker's log
 * contains a sanitizer report.
 */
void daemon_stop(struct test_daemon *daemon);

/*
 * Kills the service by SIGKILL. Its files remain until daemon_stop, which then only checks the
 * logs.
 */
void daemon_kill(struct test_daemon *daemon);

/*
 * Fails and prints the log if the log of the service or of a worker contains one of `words`
 * (NULL-terminated).
 */
void daemon_logs_lack(const struct test_daemon *daemon, const char *const words[]);

/* Sets DOCA_UROM_SERVICE_FILE to this service again. */
void daemon_use(const struct test_daemon *daemon);

/* Returns the number of worker processes. */
unsigned daemon_workers(const struct test_daemon *daemon);

/* cmocka group setup and teardown of `the_daemon`, which has no options. */
extern struct test_daemon the_daemon;
int daemon_set_up(void **state);
int daemon_tear_down(void **state);

#endif /* JUROM_TESTING_DAEMON_H_ */
