/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A link with latency between two network namespaces, for kernels without netem: `slow_wire
 * MILLISECONDS NAMESPACE NAMESPACE`, where NAMESPACE is a file. Creates an interface `slow` in
 * each. Prints "connected", and exits at the end of its standard input.
 */
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define PACKETS 4096 /* packets in flight in one direction; more are lost */
#define PACKET_MAX 2048

struct packet {
    long long due; /* ns */
    ssize_t length;
    char bytes[PACKET_MAX];
};

struct direction {
    int from, to;
    unsigned long first, last;
    struct packet packets[PACKETS];
};

static struct direction directions[2];

static long long now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static int open_end(const char *namespace)
{
    struct ifreq request = { .ifr_name = "slow", .ifr_flags = IFF_TUN | IFF_NO_PI };
    int file = open(namespace, O_RDONLY);
    int fd;

    if (file < 0 || setns(file, CLONE_NEWNET) != 0)
        exit(2);
    close(file);
    fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK);
    if (fd < 0 || ioctl(fd, TUNSETIFF, &request) != 0)
        exit(3);
    return fd;
}

static void take(struct direction *direction, long long delay)
{
    struct packet *packet = &direction->packets[direction->last % PACKETS];

    while (direction->last - direction->first < PACKETS
            && (packet->length = read(direction->from, packet->bytes, PACKET_MAX)) > 0) {
        packet->due = now_ns() + delay;
        packet = &direction->packets[++direction->last % PACKETS];
    }
}

/* Returns the number of nanoseconds until the next packet is due. */
static long long deliver(struct direction *direction)
{
    long long wait = 1000000000;

    while (direction->first < direction->last) {
        struct packet *packet = &direction->packets[direction->first % PACKETS];

        wait = packet->due - now_ns();
        if (wait > 0)
            return wait;
        (void)!write(direction->to, packet->bytes, (size_t)packet->length);
        ++direction->first;
        wait = 1000000000;
    }
    return wait;
}

int main(int count, char **arguments)
{
    long long delay = count == 4 ? atoll(arguments[1]) * 1000000 : -1;
    struct pollfd ends[3] = { { .events = POLLIN }, { .events = POLLIN }, { .events = POLLIN } };

    if (delay < 0)
        return 1;
    for (int i = 0; i < 2; ++i)
        ends[i].fd = directions[i].from = directions[1 - i].to = open_end(arguments[2 + i]);
    ends[2].fd = 0;
    printf("connected\n");
    fflush(stdout);
    while (ends[2].revents == 0) {
        long long wait = deliver(&directions[0]);
        long long other = deliver(&directions[1]);

        wait = other < wait ? other : wait;
        ppoll(ends, 3,
                &(struct timespec){ .tv_sec = wait / 1000000000, .tv_nsec = wait % 1000000000 },
                NULL);
        take(&directions[0], delay);
        take(&directions[1], delay);
    }
    return 0;
}
