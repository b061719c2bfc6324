/* SPDX-License-Identifier: Apache-2.0 */
/* Parses the command line. */
#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "measure.h"

static const struct option long_options[] = { { "size", required_argument, NULL, 's' },
    { "depth", required_argument, NULL, 'd' }, { "batch", required_argument, NULL, 'a' },
    { "cores", required_argument, NULL, 'c' }, { "blocking", no_argument, NULL, 'b' },
    { "unix", no_argument, NULL, 'u' }, { "stream", no_argument, NULL, 't' },
    { "message-size", required_argument, NULL, 'm' }, { "hosts", required_argument, NULL, 'h' },
    { "workers", required_argument, NULL, 'w' }, { "busy", required_argument, NULL, 'y' },
    { "shared", no_argument, NULL, 'r' }, { "greedy", required_argument, NULL, 'g' },
    { "program", required_argument, NULL, 'p' }, { "plugin", required_argument, NULL, 'l' },
    { "device", required_argument, NULL, 'v' }, { 0 } };

static size_t parse_size(const char *text, size_t least, size_t most)
{
    char *end;

    errno = 0;
    unsigned long value = strtoul(text, &end, 10);
    if (*end != '\0' || end == text || errno != 0 || value < least || value > most)
        fail("not a number in range", text);
    return value;
}

static void parse_cores(const char *text, int cores[2])
{
    char rest;

    if (sscanf(text, "%d,%d%c", &cores[0], &cores[1], &rest) != 2)
        fail("--cores takes two numbers separated by a comma (-1: not pinned), not", text);
}

static void parse_number(struct options *options, int option)
{
    switch (option) {
    case 's':
        options->size = parse_size(optarg, 0, 1 << 30);
        break;
    case 'd':
        options->depth = parse_size(optarg, 1, 1 << 16);
        break;
    case 'a':
        options->batch = parse_size(optarg, 1, 1 << 16);
        break;
    case 'h':
        options->hosts = parse_size(optarg, 1, MAX_HOSTS);
        break;
    case 'w':
        options->workers = parse_size(optarg, 1, MAX_WORKERS);
        break;
    case 'y':
        options->busy = parse_size(optarg, 1, MAX_WORKERS);
        break;
    case 'g':
        options->greedy = parse_size(optarg, 1, 1 << 16);
        break;
    case 'm':
        options->message_size = parse_size(optarg, 1, 1 << 30);
        break;
    default:
        exit(2);
    }
}

static void parse_option(struct options *options, int option)
{
    switch (option) {
    case 'c':
        parse_cores(optarg, options->cores);
        break;
    case 'b':
        options->blocking = true;
        break;
    case 'u':
        options->unix_socket = true;
        break;
    case 't':
        options->stream = true;
        break;
    case 'r':
        options->worker_id = (uint64_t)getpid(); /* that no other program uses */
        break;
    case 'p':
        options->program = optarg;
        break;
    case 'l':
        options->plugin = optarg;
        break;
    case 'v':
        options->device = optarg;
        break;
    default:
        parse_number(options, option);
    }
}

struct options options_parse(int argc, char **argv)
{
    struct options options = { .size = 8, .depth = 1, .batch = 1, .hosts = 1, .cores = { 0, 1 } };
    int option;

    while ((option = getopt_long(argc, argv, "", long_options, NULL)) != -1)
        parse_option(&options, option);
    if (optind < argc)
        fail("unexpected argument", argv[optind]);
    return options;
}
