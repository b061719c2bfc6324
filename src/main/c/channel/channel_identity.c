/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The file with a host's private key. Its owner and mode are checked on the open descriptor, so
 * that the checked file is the file that is read.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "channel_private.h"
#include "libraries.h"

#define FILE_SIZE_MAX 65536
#define ALL_BITS 07777
#define GROUP_AND_OTHERS (S_IRWXG | S_IRWXO)

struct channel_identity {
    const struct tls_library *tls;
    struct tls_identity *inside;
};

const struct tls_identity *identity_inside(const struct channel_identity *identity)
{
    return identity->inside;
}

/* Returns why the file is unusable, or NULL. */
static const char *objection(int fd)
{
    struct stat status;

    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode))
        return "it is not a regular file";
    if (status.st_size > FILE_SIZE_MAX)
        return "it is longer than 64 KiB";
    if (status.st_uid == geteuid() && (status.st_mode & GROUP_AND_OTHERS) == 0)
        return NULL;
    if (status.st_uid != geteuid() && status.st_uid != 0)
        return "it belongs to another user: it must belong to the user of this process or to root";
    /* Mounted secrets of Kubernetes pods belong to root and are readable to a group. */
    if (status.st_uid == 0 && (status.st_mode & ALL_BITS & ~(S_IRUSR | S_IRGRP)) == 0)
        return NULL;
    return "other users can read it: set its mode to 600";
}

/* Reads up to `capacity` bytes. Returns their number, or -1. */
static ssize_t read_all(int fd, char *text, size_t capacity)
{
    size_t length = 0;
    ssize_t got;

    do {
        got = read(fd, text + length, capacity - length);
        length += got > 0 ? (size_t)got : 0;
    } while (got > 0 || (got < 0 && errno == EINTR));
    return got < 0 ? -1 : (ssize_t)length;
}

static doca_error_t parse(const char *path, const char *text, size_t length,
        struct channel_identity *identity, char *reason, size_t capacity)
{
    char detail[TLS_REASON_MAX] = "";
    doca_error_t status;

    identity->tls = tls_library_load(reason, capacity);
    if (identity->tls == NULL)
        return DOCA_ERROR_DRIVER;
    status = identity->tls->read_identity(text, length, &identity->inside, detail);
    if (status != DOCA_SUCCESS)
        snprintf(reason, capacity, "The key file %s is not usable: %s", path, detail);
    return status;
}

static doca_error_t read_and_parse(
        const char *path, int fd, struct channel_identity *identity, char *reason, size_t capacity)
{
    char *text = malloc(FILE_SIZE_MAX + 1);
    doca_error_t status = DOCA_ERROR_IO_FAILED;
    ssize_t length;

    if (text == NULL) {
        snprintf(reason, capacity, "There is no memory to read the key file %s.", path);
        return DOCA_ERROR_NO_MEMORY;
    }
    length = read_all(fd, text, FILE_SIZE_MAX + 1);
    if (length < 0 || length > FILE_SIZE_MAX)
        snprintf(reason, capacity, "The key file %s cannot be read: %s.", path,
                length < 0 ? strerror(errno) : "it is longer than 64 KiB");
    else
        status = parse(path, text, (size_t)length, identity, reason, capacity);
    explicit_bzero(text, FILE_SIZE_MAX + 1);
    free(text);
    return status;
}

static doca_error_t read_file(
        const char *path, struct channel_identity *identity, char *reason, size_t capacity)
{
    /* O_NONBLOCK: opening a pipe of this name must not block. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    const char *wrong;
    doca_error_t status = DOCA_ERROR_NOT_PERMITTED;

    if (fd < 0) {
        snprintf(reason, capacity, "The key file %s cannot be opened: %s.", path,
                errno == ELOOP ? "it is a symbolic link" : strerror(errno));
        return errno == EACCES || errno == ELOOP ? DOCA_ERROR_NOT_PERMITTED : DOCA_ERROR_NOT_FOUND;
    }
    wrong = objection(fd);
    if (wrong != NULL)
        snprintf(reason, capacity, "The key file %s is not used: %s.", path, wrong);
    else
        status = read_and_parse(path, fd, identity, reason, capacity);
    close(fd);
    return status;
}

doca_error_t channel_identity_read(
        const char *path, struct channel_identity **identity, char *reason, size_t capacity)
{
    struct channel_identity *made = calloc(1, sizeof(*made));
    doca_error_t status;

    if (made == NULL) {
        snprintf(reason, capacity, "There is no memory for the key file %s.", path);
        return DOCA_ERROR_NO_MEMORY;
    }
    status = read_file(path, made, reason, capacity);
    if (status == DOCA_SUCCESS)
        *identity = made;
    else
        free(made);
    return status;
}

void channel_identity_free(struct channel_identity *identity)
{
    if (identity == NULL)
        return;

    identity->tls->free_identity(identity->inside);
    free(identity);
}
