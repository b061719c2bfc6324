/* SPDX-License-Identifier: Apache-2.0 */
/* Runs host_process and reads its output. */
#ifndef JUROM_OTHER_HOST_H_
#define JUROM_OTHER_HOST_H_

#include <stdint.h>
#include <sys/types.h>

struct other_host {
    pid_t pid;
    int input;
    int output;
    uint64_t worker_id;
    pid_t worker_pid;
};

/* Starts it with these arguments (terminated by NULL), and waits until its worker runs. */
void other_host_start(struct other_host *host, const char *const arguments[]);

/* Waits until it prints "done". */
void other_host_await_done(struct other_host *host);

/* End it in an orderly way, or by SIGKILL. */
void other_host_stop(struct other_host *host);
void other_host_kill(struct other_host *host);

#endif /* JUROM_OTHER_HOST_H_ */
