/* SPDX-License-Identifier: Apache-2.0 */
#include "daemon.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "assertions.h"
#include "process.h"

#define ARGUMENTS_MAX 32
#define WORKERS_MAX 128
#define LINE_MAX_LENGTH 256
#define WORKER_NAME "urom_worker"
#define WORKERS_GONE_MS 2000
#define LISTENING "urom service listening on "

struct test_daemon the_daemon = { .pid = -1 };

/* Words in reports of AddressSanitizer, LeakSanitizer and UndefinedBehaviorSanitizer. */
static const char *const sanitizer_words[] = { "Sanitizer", "runtime error:", NULL };

static void run_program(const struct test_daemon *daemon, const char *const options[], int output)
{
    char cores[16], address[PATH_MAX + 8];
    const char *argument[ARGUMENTS_MAX] = {
        UROM_DAEMON,
        "--listen",
        address,
        "--service-file",
        daemon->service_file,
        "--log-dir",
        daemon->log_directory,
        "--worker",
        UROM_WORKER,
        "--cores",
        cores,
        "--allow-root",
    };
    unsigned count = 0;

    snprintf(address, sizeof(address), "unix:%s", daemon->socket);
    snprintf(cores, sizeof(cores), "%d", DAEMON_CORES);
    while (argument[count] != NULL)
        ++count;
    for (unsigned i = 0; options != NULL && options[i] != NULL; ++i)
        argument[count++] = options[i];
    prctl(PR_SET_PDEATHSIG, SIGTERM); /* a test that crashes takes it along */
    setenv("UROM_PLUGIN_PATH", GRAPH_FOLDER ";" PUPPET_FOLDER, 1);
    dup2(output, STDOUT_FILENO);
    execv(UROM_DAEMON, (char *const *)argument);
    _exit(127);
}

/* Reads the output of the daemon up to the end of its first line. */
static void read_line(int fd, char line[LINE_MAX_LENGTH])
{
    struct pollfd readable = { .fd = fd, .events = POLLIN };
    uint64_t deadline = deadline_in(DAEMON_START_MS);
    size_t length = 0;

    while (length == 0 || line[length - 1] != '\n') {
        if (deadline_has_passed(deadline))
            fail_msg("the daemon did not listen within %d ms", DAEMON_START_MS);
        if (poll(&readable, 1, 100) == 1) {
            assert_true(length + 1 < LINE_MAX_LENGTH);
            if (read(fd, line + length, 1) != 1)
                fail_msg("the daemon exited before it listened");
            ++length;
        }
    }
    line[length] = '\0';
}

/* The daemon prints one line for each address, its Unix socket first. */
static void read_addresses(struct test_daemon *daemon, int fd, const char *const options[])
{
    char line[LINE_MAX_LENGTH];

    read_line(fd, line);
    assert_int_equal(0, strncmp(line, LISTENING "unix:", strlen(LISTENING "unix:")));
    daemon->port = 0;
    for (unsigned i = 0; options != NULL && options[i] != NULL; ++i) {
        if (strcmp(options[i], "--listen") == 0) {
            read_line(fd, line);
            assert_int_equal(1, sscanf(line, LISTENING "127.0.0.1:%u\n", &daemon->port));
        }
    }
}

void daemon_use(const struct test_daemon *daemon)
{
    assert_int_equal(0, setenv("DOCA_UROM_SERVICE_FILE", daemon->service_file, 1));
}

void daemon_start(struct test_daemon *daemon, const char *const options[])
{
    int output[2];

    make_directory(daemon->directory);
    path_in(daemon->socket, daemon->directory, "socket");
    path_in(daemon->service_file, daemon->directory, "service_file");
    path_in(daemon->log_directory, daemon->directory, "logs");
    assert_int_equal(0, pipe2(output, O_CLOEXEC));
    daemon->pid = fork();
    if (daemon->pid == 0)
        run_program(daemon, options, output[1]);
    assert_true(daemon->pid > 0);
    close(output[1]);
    read_addresses(daemon, output[0], options);
    close(output[0]);
    daemon_use(daemon);
}

unsigned daemon_workers(const struct test_daemon *daemon)
{
    pid_t workers[WORKERS_MAX];

    return find_processes(daemon->pid, WORKER_NAME, workers, WORKERS_MAX);
}

static void assert_gone(const pid_t workers[], unsigned count)
{
    for (unsigned i = 0; i < count; ++i)
        await(process_is_gone(workers[i]), WORKERS_GONE_MS);
}

static void check_log(const char *path, const char *const words[])
{
    char *log = read_text(path);

    for (size_t i = 0; words[i] != NULL; ++i) {
        if (strstr(log, words[i]) != NULL)
            fail_msg("%s:\n%s", path, log);
    }
    free(log);
}

void daemon_logs_lack(const struct test_daemon *daemon, const char *const words[])
{
    DIR *directory = opendir(daemon->log_directory);
    struct dirent *entry;

    assert_non_null(directory);
    while ((entry = readdir(directory)) != NULL) {
        char path[PATH_MAX];

        path_in(path, daemon->log_directory, entry->d_name);
        if (entry->d_type == DT_REG)
            check_log(path, words);
    }
    closedir(directory);
}

void daemon_stop(struct test_daemon *daemon)
{
    pid_t workers[WORKERS_MAX];
    unsigned count;

    if (daemon->pid > 0) {
        count = find_processes(daemon->pid, WORKER_NAME, workers, WORKERS_MAX);
        assert_int_equal(0, kill(daemon->pid, SIGTERM));
        await_exit(daemon->pid, DAEMON_STOP_MS);
        daemon->pid = -1;
        assert_gone(workers, count);
    }
    daemon_logs_lack(daemon, sanitizer_words);
    remove_directory(daemon->directory);
}

void daemon_kill(struct test_daemon *daemon)
{
    assert_int_equal(0, kill(daemon->pid, SIGKILL));
    await_exit(daemon->pid, DAEMON_STOP_MS);
    daemon->pid = -1;
}

int daemon_set_up(void **state)
{
    (void)state;
    daemon_start(&the_daemon, NULL);
    return 0;
}

int daemon_tear_down(void **state)
{
    (void)state;
    daemon_stop(&the_daemon);
    return 0;
}
