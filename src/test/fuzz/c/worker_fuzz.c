/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libFuzzer target: a complete worker with the graph plugin, with a service and hosts that send
 * anything in any order and in any pieces. The input is a script: writes of the service to the
 * worker's pipe, connections, tickets, records published or overwritten in the rings,
 * disconnections, and iterations of the worker. Afterwards no command is pending, and no resource
 * of the hosts remains.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <channel/unix_socket.h>
#include <channel/ring_memory.h>
#include <doca_urom_plugin.h>
#include <worker/receive.h>
#include <worker/worker.h>
#include <worker/worker_counters.h>

#include "frames.h"

#define HOSTS 4
#define STEPS_MAX 200
#define MESSAGE_MAX 2048
#define PLUGIN_ID 4

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
doca_error_t urom_plugin_get_iface(struct urom_plugin_iface *iface);

/* A host and its progress. */
struct host {
    int fd;                    /* -1: not connected */
    struct ring_memory memory; /* base is NULL without rings */
    struct ring_producer producer;
};

static struct worker worker;
static struct host hosts[HOSTS];
static int to_worker, from_worker;
static const uint8_t ticket[WIRE_TICKET_SIZE] = { 1, 2, 3 };
static const struct frame_names names = { 1, PLUGIN_ID, ticket, "unix:/x" };

static void open_plugin(void)
{
    struct plugin *plugin = &worker.plugins.at[0];
    char reason[REASON_MAX] = "";

    plugin->path = "worker_graph.so";
    plugin->library = dlopen(NULL, RTLD_NOW);
    ucs_list_head_init(&plugin->commands);
    require(urom_plugin_get_iface(&plugin->ctx.iface) == DOCA_SUCCESS);
    require(plugin_open(plugin, 0, &worker.domains, reason) == DOCA_SUCCESS);
    plugin->id = PLUGIN_ID;
    worker.plugins.by_bit[__builtin_ctzll(PLUGIN_ID)] = plugin;
    worker.plugins.count = 1;
}

static void begin(void)
{
    int in[2], out[2];

    memset(&worker, 0, sizeof(worker));
    require(pipe2(in, O_CLOEXEC | O_NONBLOCK) == 0 && pipe2(out, O_CLOEXEC | O_NONBLOCK) == 0);
    to_worker = in[1];
    from_worker = out[0];
    worker.service.input = in[0];
    worker.service.output = out[1];
    worker.configuration.max_message_size = MESSAGE_MAX;
    worker.configuration.waiting_max = 65536;
    worker.configuration.poll_frames = 8;
    connections_init(&worker.connections, &receive_callbacks);
    domains_init(&worker.domains);
    tickets_init(&worker.tickets, service_read);
    require(events_open(&worker.events) == DOCA_SUCCESS && service_open(&worker));
    open_plugin();
    for (unsigned i = 0; i < HOSTS; ++i)
        hosts[i] = (struct host){ .fd = -1 };
}

static void leave(struct host *host)
{
    if (host->fd >= 0)
        close(host->fd);
    ring_memory_free(&host->memory);
    host->fd = -1;
}

static void round_of_worker(void)
{
    (void)hosts_serve(&worker);
    (void)dispatch_commands(&worker);
    (void)dispatch_notifications(&worker);
    notifications_push(&worker);
    service_read(&worker);
    service_write(&worker);
}

/* Like the cleanup in serve.c. */
static void end(void)
{
    for (unsigned i = 0; i < HOSTS; ++i)
        leave(&hosts[i]);
    round_of_worker();
    service_stop(&worker.service);
    connection_close_all(&worker);
    connections_free(&worker.connections);
    plugins_free(&worker.plugins);
    domains_free(&worker.domains);
    notifications_free(&worker);
    blocks_free(&worker.blocks);
    require(worker.dispatch.queued == 0);
    close(worker.events.epoll_fd);
    close(worker.service.input);
    close(worker.service.output);
    close(to_worker);
    close(from_worker);
}

static void service_says(struct input *input)
{
    static const enum wire_type types[] = { WIRE_TICKET, WIRE_TICKET, WIRE_HOST_GONE, WIRE_PING,
        WIRE_ATTACH };
    uint8_t bytes[FRAME_MAX];
    size_t length;

    if (take_number(input, 1) % 16 == 0) {
        length = take_number(input, 1);
        take_bytes(input, bytes, length);
    } else {
        length = make_frame(input, types, sizeof(types) / sizeof(*types), &names, bytes);
    }
    (void)!write(to_worker, bytes, length);
}

static void service_reads(void)
{
    uint8_t bytes[FRAME_MAX];

    (void)!read(from_worker, bytes, sizeof(bytes));
}

static void connect_to_worker(struct host *host)
{
    int sockets[2];

    leave(host);
    require(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, sockets) == 0);
    host->fd = sockets[0];
    connection_accept(&worker, sockets[1], true);
}

static void show_ticket(struct input *input, struct host *host)
{
    uint8_t shown[WIRE_TICKET_SIZE];
    unsigned kind = (unsigned)take_number(input, 1);

    memcpy(shown, ticket, sizeof(shown));
    shown[0] = kind % 4;
    if (kind >= 240)
        shown[kind % sizeof(shown)] ^= 1;
    (void)!send(host->fd, shown, kind >= 224 ? kind % sizeof(shown) : sizeof(shown), MSG_NOSIGNAL);
}

static void take_rings(struct host *host)
{
    const char *why;
    uint32_t capacity = 0;
    int fd = -1;

    if (host->memory.base != NULL
            || unix_socket_receive(host->fd, &capacity, sizeof(capacity), &fd) != DOCA_SUCCESS)
        return;
    require(ring_memory_open(fd, capacity, &host->memory, &why) == DOCA_SUCCESS);
    close(fd);
    ring_producer_init(&host->producer, &host->memory.rings[0]);
}

static void host_says(struct input *input, struct host *host)
{
    static const enum wire_type types[] = { WIRE_ATTACH, WIRE_COMMAND, WIRE_COMMAND, WIRE_DOMAIN,
        WIRE_DETACH, WIRE_NOTIFICATION, WIRE_COMMAND_UNTIL, WIRE_CANCEL };
    struct frame_names own = names;
    uint8_t bytes[FRAME_MAX];
    size_t length;

    own.request = take_number(input, 1);
    length = make_frame(input, types, sizeof(types) / sizeof(*types), &own, bytes);
    if (length > 0 && ring_put(&host->producer, bytes, length))
        (void)ring_publish(&host->producer);
}

static void host_scribbles(struct input *input, struct host *host)
{
    uint64_t value = take_length(input);
    size_t offset = take_number(input, 4) % (host->memory.length - sizeof(value));

    memcpy((uint8_t *)host->memory.base + offset, &value, sizeof(value));
}

static void step(struct input *input)
{
    unsigned kind = (unsigned)take_number(input, 1);
    struct host *host = &hosts[kind / 16 % HOSTS];
    bool has_rings = host->memory.base != NULL;

    switch (kind % 16) {
    case 0:
    case 1:
        service_says(input);
        break;
    case 2:
        service_reads();
        break;
    case 3:
        connect_to_worker(host);
        break;
    case 4:
        if (host->fd >= 0)
            show_ticket(input, host);
        break;
    case 5:
        if (host->fd >= 0)
            take_rings(host);
        break;
    case 6:
        leave(host);
        break;
    case 7:
        if (has_rings)
            host_scribbles(input, host);
        break;
    case 8:
    case 9:
    case 10:
        round_of_worker();
        break;
    default:
        if (has_rings)
            host_says(input, host);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = { data, size };

    begin();
    for (unsigned i = 0; i < STEPS_MAX && input.left > 0; ++i)
        step(&input);
    end();
    return 0;
}
