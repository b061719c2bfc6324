/* SPDX-License-Identifier: Apache-2.0 */
/* Eight hosts share a worker, and are killed in sequence at random times. */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <testing/contexts.h>
#include <testing/daemon.h>
#include <testing/logged.h>
#include <testing/process.h>

#include "other_host.h"

#define SURVIVORS 6 /* in addition to this process and the victim */
#define IN_FLIGHT 16
#define TEXT_LENGTH 200
#define EXIT_MS 15000
#define LIFE_US 60000 /* longest life of a victim, which ends during its start or its flood */
#define SEED 20240611u

static struct test_service service;
static struct test_worker worker;
static struct test_command commands[IN_FLIGHT];
static bool ending;

static void submit_again(struct test_command *command)
{
    assert_int_equal(DOCA_SUCCESS, command->status);
    if (!ending)
        command_submit(command);
}

static void begin_flood(uint64_t puppet)
{
    char text[TEXT_LENGTH + 1];

    memset(text, 'x', TEXT_LENGTH);
    text[TEXT_LENGTH] = '\0';
    for (unsigned i = 0; i < IN_FLIGHT; ++i) {
        command_new(&commands[i], &worker, puppet);
        command_write(&commands[i], (struct puppet_command){ .act = PUPPET_ECHO }, text);
        commands[i].on_completion = submit_again;
        command_submit(&commands[i]);
    }
}

/* Checks that every command of the flood is answered. */
static void end_flood(void)
{
    unsigned before[IN_FLIGHT];

    ending = true;
    for (unsigned i = 0; i < IN_FLIGHT; ++i)
        before[i] = commands[i].completions;
    for (unsigned i = 0; i < IN_FLIGHT; ++i) {
        progress_until(service.pe, commands[i].completions > before[i], RUN_MS);
        command_release(&commands[i]);
    }
}

static unsigned descriptors_of(pid_t pid)
{
    char path[64];
    unsigned count = 0;
    DIR *directory;

    snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
    directory = opendir(path);
    assert_non_null(directory);
    while (readdir(directory) != NULL)
        ++count;
    closedir(directory);
    return count;
}

static pid_t start_victim(const char *worker_id)
{
    pid_t pid = fork();

    if (pid == 0) {
        int null = open("/dev/null", O_RDWR | O_CLOEXEC);

        dup2(null, STDOUT_FILENO);
        dup2(null, STDERR_FILENO); /* a victim may be killed while it prints a line */
        execl(HOST_PROCESS, HOST_PROCESS, worker_id, "flood", NULL);
        _exit(127);
    }
    assert_true(pid > 0);
    return pid;
}

static void kill_one(const char *worker_id, unsigned microseconds)
{
    pid_t victim = start_victim(worker_id);
    uint64_t end = deadline_in(microseconds / 1000);

    while (!deadline_has_passed(end))
        doca_pe_progress(service.pe);
    assert_int_equal(0, kill(victim, SIGKILL));
    await_exit(victim, EXIT_MS);
}

static void the_others_never_notice_and_the_worker_keeps_nothing(void **state)
{
    unsigned kills = getenv("JUROM_KILLS") == NULL ? 100 : (unsigned)atoi(getenv("JUROM_KILLS"));
    struct other_host survivors[SURVIVORS];
    unsigned short random[3] = { SEED & 0xffff, SEED >> 16, 0 };
    unsigned descriptors;
    char worker_id[32];
    uint64_t puppet;
    pid_t process;

    (void)state;
    service_open(&service);
    puppet = plugin_id(&service, "worker_puppet");
    worker_open(&worker, service.pe, &service, "worker_puppet");
    process = process_of(&worker, puppet);
    snprintf(worker_id, sizeof(worker_id), "%lu", id_of(&worker));
    for (unsigned i = 0; i < SURVIVORS; ++i)
        other_host_start(&survivors[i], (const char *const[]){ worker_id, "flood", NULL });
    descriptors = descriptors_of(process);
    begin_flood(puppet);

    for (unsigned i = 0; i < kills; ++i)
        kill_one(worker_id, (unsigned)(erand48(random) * LIFE_US));

    end_flood();
    await(descriptors_of(process) == descriptors, RUN_MS);
    for (unsigned i = 0; i < SURVIVORS; ++i)
        other_host_stop(&survivors[i]);
    assert_int_equal(process, process_of(&worker, puppet));
    worker_close(&worker);
    service_close(&service);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_others_never_notice_and_the_worker_keeps_nothing),
    };

    return cmocka_run_group_tests(tests, daemon_set_up, daemon_tear_down);
}
