/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of the measurements. Each uses those options that make sense for it. */
#ifndef OPTIONS_H_
#define OPTIONS_H_

#include <stdbool.h>
#include <stddef.h>

#define MAX_HOSTS 64
#define MAX_WORKERS 1024

struct options {
    size_t size;         /* --size: bytes of a message's payload */
    size_t depth;        /* --depth: operations under way at a time */
    size_t batch;        /* --batch: commands that are submitted and then flushed; 1: each alone */
    int cores[2];        /* --cores A,B: where this process and its peer run; -1: anywhere */
    bool blocking;       /* --blocking: wait in the kernel instead of spinning */
    bool unix_socket;    /* --unix: a Unix domain socket instead of TCP */
    bool stream;         /* --stream: one way as fast as possible, instead of back and forth */
    size_t message_size; /* --message-size: the service's largest message; 0: its default */
    size_t hosts;        /* --hosts: host processes that take part */
    size_t workers;      /* --workers: of all hosts together; 0: one of each */
    size_t busy;         /* --busy: workers of each host that work; 0: all */
    const char *program; /* --program: what is started */
    const char *plugin;  /* --plugin: the plugin that a started worker loads; NULL: no worker */
    const char *device;  /* --device: the DOCA device to offload to; NULL: the first one */
};

/* Reads the command line; ends the program with a message when it makes no sense. */
struct options options_parse(int argc, char **argv);

#endif /* OPTIONS_H_ */
