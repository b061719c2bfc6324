/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A host in its own process. It opens a worker, prints its id and process id in one line, and keeps
 * the worker until its standard input ends.
 *
 *     host_process any|ID rest          is idle
 *     host_process any|ID flood         keeps many large commands in flight, which must succeed
 *     host_process any|ID echo N        sends N commands, then prints "done"
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <testing/contexts.h>

#define FLOOD 32

static struct test_service service;
static struct test_worker worker;
static struct test_command commands[FLOOD];

static bool ending;

/* A failed command of a flood ends this host with an error. */
static void submit_again(struct test_command *command)
{
    if (command->status != DOCA_SUCCESS)
        exit(EXIT_FAILURE);
    if (!ending)
        command_submit(command);
}

/* Checks that every command of the flood is answered. */
static void end_flood(void)
{
    unsigned before[FLOOD];

    ending = true;
    for (unsigned i = 0; i < FLOOD; ++i)
        before[i] = commands[i].completions;
    for (unsigned i = 0; i < FLOOD; ++i)
        progress_until(service.pe, commands[i].completions > before[i], RUN_MS);
}

static void flood(uint64_t plugin)
{
    static char text[4000];

    memset(text, 'x', sizeof(text) - 1);
    for (unsigned i = 0; i < FLOOD; ++i) {
        command_new(&commands[i], &worker, plugin);
        command_write(&commands[i], (struct puppet_command){ .act = PUPPET_ECHO }, text);
        commands[i].on_completion = submit_again;
        command_submit(&commands[i]);
    }
}

static void echo(uint64_t plugin, unsigned long count)
{
    while (count-- > 0) {
        command_run(&commands[0], &worker, plugin, (struct puppet_command){ .act = PUPPET_ECHO },
                "text");
        command_release(&commands[0]);
    }
    printf("done\n");
    fflush(stdout);
}

static bool input_has_ended(void)
{
    struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };

    return poll(&input, 1, 0) == 1;
}

int main(int argc, char **argv)
{
    uint64_t plugin;

    if (argc < 3)
        return EXIT_FAILURE;
    service_open(&service);
    plugin = plugin_id(&service, "worker_puppet");
    worker_new(&worker, service.pe, &service, "worker_puppet");
    if (strcmp(argv[1], "any") != 0)
        assert_success(doca_urom_worker_set_id(worker.worker, strtoull(argv[1], NULL, 0)));
    worker_run(&worker);
    printf("%lu %d\n", id_of(&worker), (int)process_of(&worker, plugin));
    fflush(stdout);

    if (strcmp(argv[2], "flood") == 0)
        flood(plugin);
    else if (strcmp(argv[2], "echo") == 0 && argc == 4)
        echo(plugin, strtoul(argv[3], NULL, 10));
    while (!input_has_ended())
        doca_pe_progress(service.pe);
    if (strcmp(argv[2], "flood") == 0)
        end_flood();
    worker_close(&worker);
    service_close(&service);
    return EXIT_SUCCESS;
}
