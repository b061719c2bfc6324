/* SPDX-License-Identifier: Apache-2.0 */
#include <faults/faults.h>

#include "socket_bio.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static BIO_METHOD *shared; /* never freed */

/* Returns whether a failed call can be repeated when the socket is ready. */
static bool is_momentary(int error)
{
    return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

/* Returns the number of bytes sent; 0: the socket is not writable, or has failed (end->error). */
static size_t send_some(struct socket_end *end, const void *data, size_t length)
{
    ssize_t count = FAULT_TRANSFER(tls_send,
            send(end->fd, data, FAULT_LENGTH(tls_send, length), MSG_NOSIGNAL | MSG_DONTWAIT));

    if (count < 0 && !is_momentary(errno))
        end->error = errno;
    return count < 0 ? 0 : (size_t)count;
}

void tls_socket_flush(struct socket_end *end)
{
    size_t count;

    if (end->kept_length == 0)
        return;
    count = send_some(end, end->kept, end->kept_length);
    if (end->error != 0)
        count = end->kept_length; /* drops them: the peer has disconnected */
    end->kept_length -= count;
    memmove(end->kept, end->kept + count, end->kept_length);
}

static int write_socket(BIO *bio, const char *data, int length)
{
    struct socket_end *end = BIO_get_data(bio);
    size_t count = 0;

    BIO_clear_retry_flags(bio);
    tls_socket_flush(end);
    if (end->kept_length == 0 && end->error == 0)
        count = send_some(end, data, (size_t)length);
    if (count == 0 && end->error == 0 && end->may_keep
            && (size_t)length <= SOCKET_KEPT_MAX - end->kept_length) {
        memcpy(end->kept + end->kept_length, data, (size_t)length);
        end->kept_length += (size_t)length;
        count = (size_t)length;
    }
    if (count == 0 && end->error == 0)
        BIO_set_retry_write(bio);
    return count > 0 ? (int)count : -1;
}

static int read_socket(BIO *bio, char *data, int length)
{
    struct socket_end *end = BIO_get_data(bio);
    size_t wanted = (size_t)length < end->allowance ? (size_t)length : end->allowance;
    ssize_t count;

    BIO_clear_retry_flags(bio);
    if (wanted == 0) {
        end->denied = true;
        BIO_set_retry_read(bio);
        return -1;
    }
    count = FAULT_TRANSFER(
            tls_receive, recv(end->fd, data, FAULT_LENGTH(tls_receive, wanted), MSG_DONTWAIT));
    if (count > 0)
        end->allowance -= (size_t)count;
    else if (count == 0)
        end->ended = true;
    else if (is_momentary(errno))
        BIO_set_retry_read(bio);
    else
        end->error = errno;
    return (int)count;
}

static long control(BIO *bio, int command, long number, void *pointer)
{
    (void)bio;
    (void)number;
    (void)pointer;
    return command == BIO_CTRL_FLUSH; /* writes are not delayed */
}

static BIO_METHOD *make_method(void)
{
    BIO_METHOD *method = BIO_meth_new(BIO_TYPE_SOURCE_SINK, "socket of a jurom channel");

    if (method != NULL) {
        BIO_meth_set_write(method, write_socket);
        BIO_meth_set_read(method, read_socket);
        BIO_meth_set_ctrl(method, control);
    }
    return method;
}

BIO *tls_socket_bio(struct socket_end *end)
{
    BIO_METHOD *method;
    BIO *bio;

    pthread_mutex_lock(&lock);
    if (shared == NULL)
        shared = make_method();
    method = shared;
    pthread_mutex_unlock(&lock);
    bio = method == NULL ? NULL : BIO_new(method);
    if (bio != NULL) {
        BIO_set_data(bio, end);
        BIO_set_init(bio, 1);
    }
    return bio;
}
