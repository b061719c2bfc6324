/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The launcher of a service: a process that keeps the service's privileges, and starts and ends all
 * other processes for it. Its standard input is a SOCK_SEQPACKET socket to the service, each message
 * of which is one request or one event, in the byte order of the machine. The service writes the
 * parameters of a worker's start to the worker's own standard input (LAUNCH), so that only the
 * forked process parses them.
 *
 * Each request has one answer: STARTED, ACCEPTED or REFUSED. A started process ends with ENDED. The
 * launcher exits when the socket is closed, after its processes, which it kills if they do not exit
 * within MONITOR_EXIT_MS. If it is killed itself, the kernel kills its processes.
 */
#ifndef JUROM_MONITOR_H_
#define JUROM_MONITOR_H_

#include <stdint.h>

#define MONITOR_REQUEST_MAX 131072 /* bytes of a request with its strings */
#define MONITOR_STRINGS_MAX 256    /* strings of a request */
#define MONITOR_DESCRIPTORS_MAX 4
#define MONITOR_REASON_MAX 256
#define MONITOR_PROCESSES_MAX 65536
#define MONITOR_EXIT_MS 5000

enum monitor_request_kind {
    /*
     * Starts a worker. The strings are its plugins, SO_PATH:ID. Descriptors: its standard input and
     * output, and with these flags its log and the memory of its counters, in this order.
     */
    MONITOR_START = 1,
    /*
     * Runs --probe. Strings: the file, then the environment. Descriptor: the standard output and
     * error.
     */
    MONITOR_PROBE = 2,
    /* Runs --sweep for a user. No strings or descriptors. */
    MONITOR_SWEEP = 3,
    /* Kills the process with this id. Has no effect if it has exited. */
    MONITOR_KILL = 4,
};

enum monitor_flag {
    MONITOR_HAS_LOG = 1,      /* START: the standard error is a descriptor */
    MONITOR_SHARES_LOG = 2,   /* START: the standard error is that of the launcher */
    MONITOR_HAS_COUNTERS = 4, /* START */
    MONITOR_AS_NOBODY = 8,    /* PROBE: as an unprivileged user */
};

/* Strings follow, each terminated by NUL. */
struct monitor_request {
    uint32_t kind;
    uint32_t flags;
    uint64_t id;   /* of the process, chosen by the service: not 0, and not that of a running one */
    uint32_t user; /* SWEEP; otherwise 0 */
    uint32_t count; /* strings */
};

enum monitor_event_kind {
    MONITOR_STARTED = 1,  /* has process and start */
    MONITOR_ACCEPTED = 2, /* KILL */
    MONITOR_REFUSED = 3,  /* has the reason */
    MONITOR_ENDED = 4,    /* has the status */
};

/* The reason follows, without NUL. */
struct monitor_event {
    uint32_t kind;
    uint32_t status; /* the exit code, or 128 plus the signal */
    uint64_t id;
    uint64_t start; /* in clock ticks after boot, as in /proc/PID/stat */
    uint32_t process;
    uint32_t unused; /* 0 */
};

/*
 * Serves the service at standard input until it closes the socket. Executes `program` for processes.
 * Returns the exit status.
 */
int monitor(const char *program);

#endif /* JUROM_MONITOR_H_ */
