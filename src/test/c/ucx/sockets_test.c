/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "sockets.h"

/* Returns a socket as UCX creates it, with a name that the kernel chooses. */
static int abstract_socket(void)
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

    assert_true(fd >= 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(sa_family_t)), 0);
    return fd;
}

/* Sends a datagram to the socket, as a peer does. Returns the result of sendto. */
static ssize_t send_to(int fd, size_t bytes)
{
    struct sockaddr_un address;
    socklen_t length = sizeof(address);

    assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &length), 0);
    return sendto(fd, "", bytes, 0, (struct sockaddr *)&address, length);
}

static ssize_t receive(int fd)
{
    char byte;

    return recv(fd, &byte, sizeof(byte), MSG_DONTWAIT);
}

static void empty_datagrams_before_and_after_the_filter_are_dropped(void **state)
{
    struct ucx_sockets before;
    int fd;

    (void)state;
    ucx_sockets_note(&before);
    fd = abstract_socket();
    assert_int_equal(send_to(fd, 0), 0);
    assert_true(ucx_sockets_protect(&before));
    (void)send_to(fd, 0);
    assert_int_equal(receive(fd), -1);
    close(fd);
}

/* As if one thread created a UCX worker while another thread protects its own. */
static void a_wake_up_before_the_filter_is_kept(void **state)
{
    struct ucx_sockets before;
    int fd;

    (void)state;
    ucx_sockets_note(&before);
    fd = abstract_socket();
    assert_int_equal(send_to(fd, 1), 1);
    assert_int_equal(send_to(fd, 0), 0);
    assert_true(ucx_sockets_protect(&before));
    assert_int_equal(receive(fd), 1);
    assert_int_equal(receive(fd), -1);
    close(fd);
}

/* As if another thread closed a UCX worker before this thread creates one. */
static void a_socket_with_the_number_of_a_closed_one_is_protected(void **state)
{
    struct ucx_sockets before;
    int old = abstract_socket();
    int fd;

    (void)state;
    ucx_sockets_note(&before);
    close(old);
    fd = abstract_socket();
    assert_int_equal(fd, old);
    assert_true(ucx_sockets_protect(&before));
    (void)send_to(fd, 0);
    assert_int_equal(receive(fd), -1);
    close(fd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_datagrams_before_and_after_the_filter_are_dropped),
        cmocka_unit_test(a_wake_up_before_the_filter_is_kept),
        cmocka_unit_test(a_socket_with_the_number_of_a_closed_one_is_protected),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
