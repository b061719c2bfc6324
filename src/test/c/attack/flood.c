/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Floods a TCP port with connections, without a key:
 *
 *     flood silent|part|hello|ticket ADDRESS PORT RATE SECONDS SOURCE...
 *
 * It opens RATE connections a second, from each of its SOURCE addresses in turn, and keeps the last
 * KEPT of them open. They send nothing, the first byte of a ClientHello, or a complete one: without
 * a ticket, as to a service, or with a random one. Prints "flooding", and at the end, after SECONDS
 * or at the end of its standard input, the number of opened connections.
 */
#include <errno.h>
#include <poll.h>
#include <netinet/in.h>
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <openssl/ssl.h>

#define KEPT 16384
#define EVENTS 512
#define HELLO_MAX 4096
#define TICK_NS 1000000

static int kept[KEPT];
static unsigned char hello[HELLO_MAX];
static int hello_length;
static int epoll;

static unsigned int invent(SSL *ssl, const char *hint, char *identity, unsigned int max_identity,
        unsigned char *key, unsigned int max_key)
{
    (void)ssl;
    (void)hint;
    (void)max_key;
    snprintf(identity, max_identity, "0123456789abcdef");
    memset(key, 5, 32);
    return 32;
}

/* Creates a ClientHello. */
static void make_hello(int with_ticket, int in_part)
{
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    SSL *ssl;

    SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION);
    SSL_CTX_set1_groups_list(context, "X25519:P-256");
    SSL_CTX_set_ciphersuites(context, "TLS_AES_128_GCM_SHA256");
    if (with_ticket)
        SSL_CTX_set_psk_client_callback(context, invent);
    ssl = SSL_new(context);
    SSL_set_bio(ssl, BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
    SSL_set_connect_state(ssl);
    SSL_do_handshake(ssl);
    hello_length = BIO_read(SSL_get_wbio(ssl), hello, sizeof(hello));
    if (in_part)
        hello_length = 1;
}

static long long now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static struct sockaddr_in address_of(const char *text, int port)
{
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };

    if (inet_pton(AF_INET, text, &address.sin_addr) != 1)
        exit(2);
    return address;
}

/* Replaces the oldest connection, which is reset. */
static int open_one(
        unsigned long number, const struct sockaddr_in *from, const struct sockaddr_in *to)
{
    static const struct linger at_once = { .l_onoff = 1 };
    static const int yes = 1;
    int *place = &kept[number % KEPT];
    struct epoll_event event = { .events = EPOLLOUT | EPOLLET };
    int fd;

    if (*place > 0)
        close(*place);
    *place = fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return 0;
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
    setsockopt(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &yes, sizeof(yes));
    if (bind(fd, (const struct sockaddr *)from, sizeof(*from)) != 0
            || (connect(fd, (const struct sockaddr *)to, sizeof(*to)) != 0 && errno != EINPROGRESS))
        return 0;
    event.data.fd = fd;
    if (hello_length > 0)
        epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
    return 1;
}

static void greet(void)
{
    struct epoll_event events[EVENTS];
    int count = hello_length > 0 ? epoll_wait(epoll, events, EVENTS, 0) : 0;

    for (int i = 0; i < count; ++i) {
        if (!(events[i].events & (EPOLLERR | EPOLLHUP)))
            (void)!send(events[i].data.fd, hello, (size_t)hello_length, MSG_NOSIGNAL);
        epoll_ctl(epoll, EPOLL_CTL_DEL, events[i].data.fd, NULL);
    }
}

int main(int count, char **arguments)
{
    struct pollfd input = { .fd = 0, .events = POLLIN };
    struct rlimit files = { KEPT + 64, KEPT + 64 };
    long long begin, end;
    unsigned long tried = 0, opened = 0;
    struct sockaddr_in to;
    long rate;

    if (count < 7)
        return 2;
    if (strcmp(arguments[1], "silent") != 0)
        make_hello(strcmp(arguments[1], "ticket") == 0, strcmp(arguments[1], "part") == 0);
    to = address_of(arguments[2], atoi(arguments[3]));
    rate = atol(arguments[4]);
    setrlimit(RLIMIT_NOFILE, &files);
    epoll = epoll_create1(0);
    printf("flooding\n");
    fflush(stdout);
    begin = now_ns();
    end = begin + atoll(arguments[5]) * 1000000000LL;
    for (long long now = begin; now < end && poll(&input, 1, 0) == 0; now = now_ns()) {
        unsigned long due = (unsigned long)((double)(now - begin) / 1e9 * (double)rate);

        while (tried < due && now_ns() < now + TICK_NS) {
            struct sockaddr_in from = address_of(arguments[6 + tried % (unsigned)(count - 6)], 0);

            opened += (unsigned)open_one(tried++, &from, &to);
            if (tried % 64 == 0)
                greet();
        }
        greet();
        if (tried >= due)
            nanosleep(&(struct timespec){ .tv_nsec = TICK_NS / 2 }, NULL);
    }
    printf("opened %lu in %ld ms\n", opened, (long)((now_ns() - begin) / 1000000));
    return 0;
}
