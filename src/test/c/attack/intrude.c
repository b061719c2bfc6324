/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Attempts of one user to access the worker of another user. `intrude PID SOCKET` prints for each
 * attempt whether it was rejected. `intrude listen PATH` prints the number of bytes that each
 * client sends. `intrude datagrams NAME` sends datagrams, some empty or long, to the abstract
 * socket NAME and prints how many were accepted.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#define DATAGRAMS 3000
#define PAUSE_US 100

static void say(const char *what, int failed)
{
    printf("%s %s\n", failed ? "refused" : "POSSIBLE", what);
}

static struct sockaddr_un address_of(const char *path)
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };

    strncpy(address.sun_path, path, sizeof(address.sun_path) - 1);
    return address;
}

static int can_open(const char *pid, const char *name, int flags)
{
    char path[64];

    snprintf(path, sizeof(path), "/proc/%s/%s", pid, name);
    return open(path, flags) >= 0;
}

static int peeks(pid_t pid)
{
    char byte;
    struct iovec here = { &byte, 1 }, there = { (void *)0x400000, 1 };

    return process_vm_readv(pid, &here, 1, &there, 1, 0) >= 0 || errno != EPERM;
}

static int takes_descriptor(pid_t pid)
{
    int process = (int)syscall(SYS_pidfd_open, pid, 0);

    return process >= 0 && syscall(SYS_pidfd_getfd, process, 3, 0) >= 0;
}

static int intrude(const char *pid, const char *path)
{
    struct sockaddr_un address = address_of(path);
    pid_t process = (pid_t)atoi(pid);
    char *folder = dirname(strdup(path));
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);

    say("connect", connect(fd, (struct sockaddr *)&address, sizeof(address)) != 0);
    say("SIGTERM", kill(process, SIGTERM) != 0);
    say("SIGKILL", kill(process, SIGKILL) != 0);
    say("ptrace", ptrace(PTRACE_ATTACH, process, NULL, NULL) != 0);
    say("mem", !can_open(pid, "mem", O_RDWR));
    say("environ", !can_open(pid, "environ", O_RDONLY));
    say("process_vm_readv", !peeks(process));
    say("pidfd_getfd", !takes_descriptor(process));
    say("unlink", unlink(path) != 0);
    say("list", open(folder, O_RDONLY | O_DIRECTORY) < 0);
    return 0;
}

static int listen_at(const char *path)
{
    struct sockaddr_un address = address_of(path);
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);

    if (bind(listener, (struct sockaddr *)&address, sizeof(address)) != 0 || chmod(path, 0666) != 0
            || listen(listener, 8) != 0)
        return 1;
    setvbuf(stdout, NULL, _IOLBF, 0);
    printf("listening\n");
    for (int i = 0; i < 8; ++i) {
        int fd = accept(listener, NULL, NULL);
        unsigned long bytes = 0;
        char buffer[4096];
        ssize_t got;

        while ((got = read(fd, buffer, sizeof(buffer))) > 0)
            bytes += (unsigned long)got;
        printf("%lu bytes\n", bytes);
        close(fd);
    }
    return 0;
}

static int send_to(const char *name)
{
    static char bytes[65536];
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    size_t length = strnlen(name, sizeof(address.sun_path) - 1);
    int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
    unsigned taken = 0;

    memcpy(address.sun_path + 1, name, length);
    for (unsigned i = 0; i < DATAGRAMS; ++i) {
        size_t size = i % 3 == 0 ? 0 : i % 3 == 1 ? 1 : sizeof(bytes);

        if (sendto(fd, bytes, size, MSG_DONTWAIT, (struct sockaddr *)&address,
                    (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + length))
                >= 0)
            ++taken;
        else
            usleep(PAUSE_US); /* the queue of the socket is full */
    }
    printf("%u taken\n", taken);
    return 0;
}

int main(int count, char **arguments)
{
    if (count != 3)
        return 2;
    alarm(60);
    if (strcmp(arguments[1], "datagrams") == 0)
        return send_to(arguments[2]);
    return strcmp(arguments[1], "listen") == 0 ? listen_at(arguments[2])
                                               : intrude(arguments[1], arguments[2]);
}
