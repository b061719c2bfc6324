/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The UROM service as its launcher starts it, with the worker program and plugins of the build under
 * test. It takes a second to start: one a test program, unless the test is about its end.
 */
#ifndef JUROM_TESTING_DAEMON_H_
#define JUROM_TESTING_DAEMON_H_

#include <limits.h>
#include <sys/types.h>

#define DAEMON_START_MS 60000
#define DAEMON_STOP_MS 15000
#define DAEMON_CORES 8 /* that it presents, whatever the machine has */

struct test_daemon {
    pid_t pid;                /* -1: does not run */
    unsigned port;            /* for hosts with a key, of loopback; 0: none */
    char directory[PATH_MAX]; /* holds all that follows; removed when it stops */
    char socket[PATH_MAX];
    char service_file[PATH_MAX];
    char log_directory[PATH_MAX];
};

/*
 * Starts a service on a Unix socket; `options` (ended by NULL; NULL: none) are passed to it, which
 * may let it listen on a port, too. Points DOCA_UROM_SERVICE_FILE to it.
 */
void daemon_start(struct test_daemon *daemon, const char *const options[]);

/*
 * Ends it by SIGTERM. It must exit, leave no worker behind, and no worker's log may hold a word of a
 * sanitizer.
 */
void daemon_stop(struct test_daemon *daemon);

/* Ends it by SIGKILL; the files remain until daemon_stop, which then only looks at the logs. */
void daemon_kill(struct test_daemon *daemon);

/* Fails if its log, or that of a worker, has one of these words (ended by NULL); and shows it. */
void daemon_logs_lack(const struct test_daemon *daemon, const char *const words[]);

/* Points the environment to this daemon again. */
void daemon_use(const struct test_daemon *daemon);

/* How many workers it has now. */
unsigned daemon_workers(const struct test_daemon *daemon);

/* cmocka group set-up and teardown around `the_daemon`, without options. */
extern struct test_daemon the_daemon;
int daemon_set_up(void **state);
int daemon_tear_down(void **state);

#endif /* JUROM_TESTING_DAEMON_H_ */
