/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libFuzzer target: any message to the launcher, with 0 to 7 descriptors (the first byte), results in
 * a request whose fields and strings are valid and within its buffer, or in an error message. No
 * descriptor is leaked.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <worker/monitor_request.h>

#include "input.h"

#define SENT_MAX 7 /* more than a request has */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void send_message(int socket, struct input input, unsigned descriptors)
{
    union {
        char bytes[CMSG_SPACE(SENT_MAX * sizeof(int))];
        struct cmsghdr aligned;
    } control = { 0 };
    struct iovec part = { (void *)input.next, input.left };
    struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };
    int sent[SENT_MAX] = { 0 }; /* standard input, which is open */

    if (descriptors > 0) {
        struct cmsghdr *header = &control.aligned;

        message.msg_control = &control;
        message.msg_controllen = CMSG_SPACE(descriptors * sizeof(int));
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(descriptors * sizeof(int));
        memcpy(CMSG_DATA(header), sent, descriptors * sizeof(int));
    }
    require(sendmsg(socket, &message, 0) == (ssize_t)input.left);
}

static void check(const struct received *received)
{
    const struct monitor_request *request = &received->request;
    const char *end = received->bytes + sizeof(received->bytes);

    require(request->id != 0 && request->count <= MONITOR_STRINGS_MAX);
    require(received->descriptors <= MONITOR_DESCRIPTORS_MAX);
    require(received->string[request->count] == NULL);
    for (uint32_t i = 0; i < request->count; ++i) {
        const char *string = received->string[i];

        require(string >= received->bytes && string < end && string[0] != '\0');
        require(memchr(string, '\0', (size_t)(end - string)) != NULL);
    }
}

/* Returns the descriptor that the next open() would return. */
static int lowest_free(void)
{
    int fd = dup(STDIN_FILENO);

    close(fd);
    return fd;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = { data, size };
    unsigned descriptors = (unsigned)take_number(&input, 1) % (SENT_MAX + 1);
    struct received *received = malloc(sizeof(*received));
    char reason[REASON_MAX] = "";
    doca_error_t status = DOCA_SUCCESS;
    int pair[2], before;

    require(received != NULL && socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) == 0);
    before = lowest_free();
    send_message(pair[0], input, descriptors);
    require(monitor_receive(pair[1], received, &status, reason));
    require((status == DOCA_SUCCESS) == (reason[0] == '\0'));
    if (status == DOCA_SUCCESS)
        check(received);
    monitor_release(received);
    require(lowest_free() == before);
    close(pair[0]);
    close(pair[1]);
    free(received);
    return 0;
}
