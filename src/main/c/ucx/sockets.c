/* SPDX-License-Identifier: Apache-2.0 */
#include "sockets.h"

#include <dirent.h>
#include <linux/filter.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

static bool is_abstract_datagram(int fd)
{
    struct sockaddr_un address;
    socklen_t length = sizeof(address);
    int type = 0;
    socklen_t type_length = sizeof(type);

    return getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &type_length) == 0 && type == SOCK_DGRAM
            && getsockname(fd, (struct sockaddr *)&address, &length) == 0
            && address.sun_family == AF_UNIX && length > offsetof(struct sockaddr_un, sun_path)
            && address.sun_path[0] == '\0';
}

/* Sends a datagram to this socket itself. */
static void wake(int fd)
{
    struct sockaddr_un address;
    socklen_t length = sizeof(address);
    static const char byte;

    if (getsockname(fd, (struct sockaddr *)&address, &length) == 0)
        (void)!sendto(fd, &byte, sizeof(byte), MSG_DONTWAIT, (struct sockaddr *)&address, length);
}

/*
 * Also drops the datagrams that arrived before the filter. The socket may be that of a UCX worker which another thread
 * has created meanwhile and whose peers have woken it, so it is woken again.
 */
static bool drop_empty_datagrams(int fd)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_LEN, 0),
        BPF_STMT(BPF_RET | BPF_A, 0), /* number of bytes to keep; 0 drops the datagram */
    };
    struct sock_fprog program = { .len = sizeof(code) / sizeof(*code), .filter = code };
    bool filters = setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof(program)) == 0;
    bool woken = false;
    ssize_t length;
    char byte;

    while (filters && (length = recv(fd, &byte, sizeof(byte), MSG_DONTWAIT)) >= 0)
        woken |= length > 0;
    if (woken)
        wake(fd);
    return filters;
}

/* Returns the next abstract datagram socket of this process, or -1. */
static int next_socket(DIR *descriptors)
{
    struct dirent *entry;

    while (descriptors != NULL && (entry = readdir(descriptors)) != NULL) {
        if (is_abstract_datagram(atoi(entry->d_name)))
            return atoi(entry->d_name);
    }
    return -1;
}

static ino_t inode_of(int fd)
{
    struct stat status;

    return fstat(fd, &status) == 0 ? status.st_ino : 0;
}

void ucx_sockets_note(struct ucx_sockets *sockets)
{
    DIR *descriptors = opendir("/proc/self/fd");
    int fd;

    *sockets = (struct ucx_sockets){ 0 };
    while ((fd = next_socket(descriptors)) >= 0) {
        if (fd < UCX_SOCKETS_MAX)
            sockets->inode[fd] = inode_of(fd);
    }
    if (descriptors != NULL)
        closedir(descriptors);
}

bool ucx_sockets_protect(const struct ucx_sockets *before)
{
    DIR *descriptors = opendir("/proc/self/fd");
    bool filtered = descriptors != NULL;
    int fd;

    while ((fd = next_socket(descriptors)) >= 0) {
        if (fd >= UCX_SOCKETS_MAX || before->inode[fd] != inode_of(fd))
            filtered &= drop_empty_datagrams(fd);
    }
    if (descriptors != NULL)
        closedir(descriptors);
    return filtered;
}
