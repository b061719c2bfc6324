/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of the measurements. Each measurement uses the relevant options only. */
#ifndef OPTIONS_H_
#define OPTIONS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MAX_HOSTS 512
#define MAX_WORKERS 1024

struct options {
    size_t size;         /* --size: payload size in bytes */
    size_t depth;        /* --depth: number of operations in flight */
    size_t batch;        /* --batch: number of commands between flushes */
    int cores[2];        /* --cores A,B: cores of this process and its peer; -1: not pinned */
    bool blocking;       /* --blocking: wait in the kernel instead of spinning */
    bool unix_socket;    /* --unix: a Unix domain socket instead of TCP */
    bool stream;         /* --stream: one way as fast as possible, instead of round trips */
    size_t message_size; /* --message-size: maximum message size of the service; 0: default */
    size_t hosts;        /* --hosts: number of host processes */
    size_t workers;      /* --workers: total number of workers; 0: one per host */
    size_t busy;         /* --busy: number of active workers per host; 0: all */
    uint64_t worker_id;  /* --shared: all hosts share one worker with this id; 0: any id */
    size_t greedy;       /* --greedy: commands in flight of the first host that shares; 0: none */
    const char *program; /* --program: the program to start */
    const char *plugin;  /* --plugin: the plugin of a started worker; NULL: no worker */
    const char *device;  /* --device: the DOCA device; NULL: the first one */
};

/* Parses the command line; exits the program with an error message if it is invalid. */
struct options options_parse(int argc, char **argv);

#endif /* OPTIONS_H_ */
