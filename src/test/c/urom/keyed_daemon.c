/* SPDX-License-Identifier: Apache-2.0 */
#include "keyed_daemon.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <testing/assertions.h>
#include <testing/daemon.h>
#include <testing/process.h>

#define PROGRAM_MS 60000
#define OPTIONS_MAX 16

static char directory[PATH_MAX];
static char paths[KEYS][PATH_MAX];
static const char *const names[KEYS] = { "service", "host", "stranger", "mistaken" };

const char *key_path(enum test_key key)
{
    return paths[key];
}

/* Runs `scripts/urom key create`, and returns the printed certificate, to be freed. */
static char *make_key(enum test_key key)
{
    char certificate[PATH_MAX];
    pid_t pid;

    path_in(paths[key], directory, names[key]);
    path_in(certificate, directory, "certificate");
    pid = fork();
    if (pid == 0) {
        int output = open(certificate, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

        dup2(output, STDOUT_FILENO);
        execl(UROM, UROM, "key", "create", paths[key], "--name", names[key], NULL);
        _exit(127);
    }
    assert_true(pid > 0);
    assert_int_equal(0, await_exit(pid, PROGRAM_MS));
    return read_text(certificate);
}

static void append(const char *path, const char *text)
{
    FILE *file = fopen(path, "ae");

    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(0, fclose(file));
}

static void make_keys(const char *hosts)
{
    char *certificate[KEYS];
    char *key;

    for (enum test_key i = KEY_SERVICE; i < KEY_MISTAKEN; ++i)
        certificate[i] = make_key(i);
    append(hosts, "account: daemon plugins=puppet\n");
    append(hosts, certificate[KEY_HOST]);
    path_in(paths[KEY_MISTAKEN], directory, names[KEY_MISTAKEN]);
    key = read_text(paths[KEY_HOST]);
    write_text(paths[KEY_MISTAKEN], key);
    append(paths[KEY_MISTAKEN], certificate[KEY_STRANGER]);
    append(paths[KEY_HOST], certificate[KEY_SERVICE]);
    append(paths[KEY_STRANGER], certificate[KEY_SERVICE]);
    free(key);
    for (enum test_key i = KEY_SERVICE; i < KEY_MISTAKEN; ++i)
        free(certificate[i]);
}

void keyed_daemon_start(const char *const more[])
{
    char hosts[PATH_MAX];
    const char *options[OPTIONS_MAX] = {
        "--listen",
        "127.0.0.1:0",
        "--key",
        paths[KEY_SERVICE],
        "--authorized-hosts",
        hosts,
    };
    unsigned count = 6;

    while (more != NULL && *more != NULL && count < OPTIONS_MAX - 1)
        options[count++] = *more++;
    make_directory(directory);
    path_in(hosts, directory, "hosts");
    make_keys(hosts);
    daemon_start(&the_daemon, options);
    assert_int_equal(0, setenv("DOCA_UROM_KEY_FILE", paths[KEY_HOST], 1));
}

void keyed_daemon_use_port(unsigned port)
{
    char line[128], service_file[PATH_MAX];

    path_in(service_file, directory, "service_file");
    snprintf(line, sizeof(line), "localhost dpu 127.0.0.1:%u 0000:00:00.0 all\n", port);
    write_text(service_file, line);
    assert_int_equal(0, setenv("DOCA_UROM_SERVICE_FILE", service_file, 1));
}

int keyed_daemon_set_up(void **state)
{
    (void)state;
    keyed_daemon_start(NULL);
    return 0;
}

int keyed_daemon_tear_down(void **state)
{
    (void)state;
    daemon_stop(&the_daemon);
    remove_directory(directory);
    return 0;
}
