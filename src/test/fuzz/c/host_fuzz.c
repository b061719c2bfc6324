/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libFuzzer target: the host library with a service context, a worker context, a command task and
 * a domain, against a service and a worker that send anything. The input is a script: operations
 * of the application, accepted connections, answers over the sockets and through the rings, and
 * disconnections. While the library waits for the service (the start of a service context
 * blocks), the script continues with the operations of the service. Afterwards all contexts can
 * be stopped and destroyed, and every task has completed once per submission.
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <channel/channel_private.h>
#include <channel/unix_socket.h>
#include <doca_buf.h>
#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_pe.h>
#include <doca_urom.h>

#include "frames.h"
#include "temporary_folder.h"

#define STEPS_MAX 200
#define MESSAGE_MAX 4096
#define TASKS 4
#define PLUGIN_ID 4
#define WORKER_ID 1
#define PROGRESS_MAX 100000 /* calls until everything has stopped */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);
int __wrap_poll(struct pollfd *descriptors, nfds_t count, int milliseconds);

/* State of the process. */
static char folder[] = "/tmp/jurom-fuzz-XXXXXX";
static char address[sizeof("unix:") + sizeof(((struct sockaddr_un *)0)->sun_path)];
static int service_listener, worker_listener;
static struct doca_dev *device;

/* State of an input. */
static struct input input;
static struct doca_pe *pe;
static struct doca_urom_service *service;
static struct doca_urom_worker *worker;
static int service_fd, worker_fd;
static struct ring_memory memory; /* of the rings sent by the worker */
static struct ring_producer producer;
static unsigned submitted, completed;
static const uint8_t ticket[WIRE_TICKET_SIZE];

static int listen_at(const char *name)
{
    struct sockaddr_un at = { .sun_family = AF_UNIX };
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

    snprintf(at.sun_path, sizeof(at.sun_path), "%s/%s", folder, name);
    require(bind(fd, (struct sockaddr *)&at, sizeof(at)) == 0 && listen(fd, 16) == 0);
    return fd;
}

static void write_service_file(const char *pci_address)
{
    char path[64], line[256];
    FILE *file;

    snprintf(path, sizeof(path), "%s/services", folder);
    snprintf(line, sizeof(line), "localhost dpu unix:%s/service %s all\n", folder, pci_address);
    file = fopen(path, "we");
    require(file != NULL && fputs(line, file) > 0 && fclose(file) == 0);
    setenv("DOCA_UROM_SERVICE_FILE", path, 1);
}

static void open_device(void)
{
    char pci_address[DOCA_DEVINFO_PCI_ADDR_SIZE];
    struct doca_devinfo **list;
    uint32_t count;

    require(doca_devinfo_create_list(&list, &count) == DOCA_SUCCESS && count > 0);
    require(doca_devinfo_get_pci_addr_str(list[0], pci_address) == DOCA_SUCCESS);
    require(doca_dev_open(list[0], &device) == DOCA_SUCCESS);
    doca_devinfo_destroy_list(list);
    write_service_file(pci_address);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    make_temporary_folder(folder);
    setenv("XDG_RUNTIME_DIR", folder, 1);
    open_device();
    service_listener = listen_at("service");
    worker_listener = listen_at("worker");
    snprintf(address, sizeof(address), "unix:%s/worker", folder);
    return 0;
}

static void begin(void)
{
    service_fd = worker_fd = -1;
    memory.base = NULL;
    submitted = completed = 0;
    require(doca_pe_create(&pe) == DOCA_SUCCESS);
    require(doca_urom_service_create(&service) == DOCA_SUCCESS);
    require(doca_urom_service_set_dev(service, device) == DOCA_SUCCESS);
    require(doca_urom_service_set_max_comm_msg_size(service, MESSAGE_MAX) == DOCA_SUCCESS);
    require(doca_pe_connect_ctx(pe, doca_urom_service_as_ctx(service)) == DOCA_SUCCESS);
    worker = NULL;
}

static void make_worker(void)
{
    if (worker != NULL || doca_urom_worker_create(&worker) != DOCA_SUCCESS)
        return;
    require(doca_urom_worker_set_id(worker, WORKER_ID) == DOCA_SUCCESS);
    (void)doca_urom_worker_set_plugins(worker, PLUGIN_ID);
    (void)doca_urom_worker_set_max_inflight_tasks(worker, TASKS);
    require(doca_pe_connect_ctx(pe, doca_urom_worker_as_ctx(worker)) == DOCA_SUCCESS);
    (void)doca_urom_worker_set_service(worker, service);
}

static void command_done(struct doca_urom_worker_cmd_task *task, union doca_data task_user_data,
        union doca_data ctx_user_data)
{
    size_t length = 0;
    void *bytes;

    (void)task_user_data;
    (void)ctx_user_data;
    completed++;
    doca_buf_get_data(doca_urom_worker_cmd_task_get_response(task), &bytes);
    doca_buf_get_data_len(doca_urom_worker_cmd_task_get_response(task), &length);
    for (size_t i = 0; i < length; ++i) /* so that the sanitizer checks the bytes */
        (void)((volatile uint8_t *)bytes)[i];
    doca_urom_worker_cmd_task_release(task);
}

static void submit(void)
{
    struct doca_urom_worker_cmd_task *task;

    if (worker == NULL
            || doca_urom_worker_cmd_task_allocate_init(worker, PLUGIN_ID, &task) != DOCA_SUCCESS)
        return;
    doca_urom_worker_cmd_task_set_cb(task, command_done);
    submitted++;
    if (doca_task_submit(doca_urom_worker_cmd_task_as_task(task)) != DOCA_SUCCESS) {
        submitted--;
        doca_urom_worker_cmd_task_release(task);
    }
}

static void group_done(struct doca_urom_service_get_workers_by_gid_task *task,
        union doca_data task_user_data, union doca_data ctx_user_data)
{
    size_t count = doca_urom_service_get_workers_by_gid_task_get_workers_count(task);
    const uint64_t *ids = doca_urom_service_get_workers_by_gid_task_get_worker_ids(task);

    (void)task_user_data;
    (void)ctx_user_data;
    completed++;
    for (size_t i = 0; i < count; ++i)
        (void)((volatile const uint64_t *)ids)[i];
    doca_urom_service_get_workers_by_gid_task_release(task);
}

static void ask_for_group(void)
{
    struct doca_urom_service_get_workers_by_gid_task *task;

    if (doca_urom_service_get_workers_by_gid_task_allocate_init(service, 1, group_done, &task)
            != DOCA_SUCCESS)
        return;
    submitted++;
    if (doca_task_submit(doca_urom_service_get_workers_by_gid_task_as_task(task)) != DOCA_SUCCESS) {
        submitted--;
        doca_urom_service_get_workers_by_gid_task_release(task);
    }
}

static void drop(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static void accept_one(int listener, int *fd)
{
    int accepted = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

    if (accepted < 0)
        return;
    drop(fd);
    *fd = accepted;
}

static void service_says(void)
{
    static const enum wire_type types[] = { WIRE_WELCOME, WIRE_SPAWNED, WIRE_ERROR,
        WIRE_WORKER_GONE, WIRE_GROUP, WIRE_RELEASED };
    const struct frame_names names = { take_number(&input, 1) % 8, PLUGIN_ID, ticket, address };
    uint8_t bytes[FRAME_MAX];
    size_t length = make_frame(&input, types, sizeof(types) / sizeof(*types), &names, bytes);

    (void)!send(service_fd, bytes, length, MSG_NOSIGNAL);
}

/*
 * Called while the library waits for the service; the service disconnects at the end of the
 * script.
 */
int __wrap_poll(struct pollfd *descriptors, nfds_t count, int milliseconds)
{
    (void)milliseconds;
    if (service_fd < 0)
        accept_one(service_listener, &service_fd);
    if (input.left == 0 || take_number(&input, 1) == 255)
        drop(&service_fd);
    else
        service_says();
    descriptors[0].revents = POLLIN;
    return (int)count;
}

/* The worker sends rings, sometimes of a wrong size, or a descriptor that is not memory. */
static void hand_out_rings(void)
{
    uint32_t capacity = (uint32_t)ring_capacity_for(MESSAGE_MAX);
    unsigned kind = (unsigned)take_number(&input, 1);
    int fd = -1;

    ring_memory_free(&memory);
    require(ring_memory_create(capacity, &memory, &fd) == DOCA_SUCCESS);
    ring_producer_init(&producer, &memory.rings[1]);
    if (kind == 1)
        capacity *= 2;
    if (kind == 2) {
        close(fd);
        fd = memfd_create("none", MFD_CLOEXEC);
    }
    (void)unix_socket_send(
            worker_fd, &capacity, kind == 3 ? 3 : sizeof(capacity), kind == 4 ? -1 : fd);
    close(fd);
}

static void worker_says(void)
{
    static const enum wire_type types[] = { WIRE_ATTACHED, WIRE_NOTIFICATION, WIRE_NOTIFICATION,
        WIRE_ERROR, WIRE_DETACHED, WIRE_DOMAIN_READY };
    const struct frame_names names = { take_number(&input, 1) % 8, PLUGIN_ID, ticket, address };
    uint8_t bytes[FRAME_MAX];
    size_t length = make_frame(&input, types, sizeof(types) / sizeof(*types), &names, bytes);

    if (memory.base != NULL && length > 0 && ring_put(&producer, bytes, length))
        (void)ring_publish(&producer);
}

static void scribble(void)
{
    uint64_t value = take_length(&input);

    if (memory.base != NULL)
        memcpy((uint8_t *)memory.base + take_number(&input, 4) % (memory.length - sizeof(value)),
                &value, sizeof(value));
}

static void progress(unsigned calls)
{
    while (calls-- > 0)
        (void)doca_pe_progress(pe);
}

static void application_does(void)
{
    switch (take_number(&input, 1) % 8) {
    case 0:
        (void)doca_ctx_stop(doca_urom_service_as_ctx(service));
        break;
    case 1:
        if (worker != NULL)
            (void)doca_ctx_stop(doca_urom_worker_as_ctx(worker));
        break;
    case 2:
        ask_for_group();
        break;
    case 3:
        make_worker();
        if (worker != NULL)
            (void)doca_ctx_start(doca_urom_worker_as_ctx(worker));
        break;
    case 4:
        (void)doca_ctx_start(doca_urom_service_as_ctx(service));
        break;
    default:
        submit();
    }
}

static void step(void)
{
    switch (take_number(&input, 1) % 16) {
    case 0:
        accept_one(service_listener, &service_fd);
        break;
    case 1:
        accept_one(worker_listener, &worker_fd);
        break;
    case 2:
    case 3:
        service_says();
        break;
    case 4:
        if (worker_fd >= 0)
            hand_out_rings();
        break;
    case 5:
    case 6:
        worker_says();
        break;
    case 7:
        scribble();
        break;
    case 8:
        drop(take_number(&input, 1) % 2 ? &service_fd : &worker_fd);
        break;
    case 9:
    case 10:
    case 11:
        application_does();
        break;
    default:
        progress((unsigned)take_number(&input, 1) % 64);
    }
}

static bool is_idle(struct doca_ctx *ctx)
{
    enum doca_ctx_states state;

    return doca_ctx_get_state(ctx, &state) == DOCA_SUCCESS && state == DOCA_CTX_STATE_IDLE;
}

static void stop(struct doca_ctx *ctx)
{
    unsigned calls = 0;

    (void)doca_ctx_stop(ctx);
    while (!is_idle(ctx)) {
        require(++calls < PROGRESS_MAX);
        progress(1);
    }
}

static void end(void)
{
    drop(&service_fd);
    drop(&worker_fd);
    if (worker != NULL) {
        stop(doca_urom_worker_as_ctx(worker));
        require(doca_urom_worker_destroy(worker) == DOCA_SUCCESS);
    }
    stop(doca_urom_service_as_ctx(service));
    require(doca_urom_service_destroy(service) == DOCA_SUCCESS);
    require(submitted == completed);
    require(doca_pe_destroy(pe) == DOCA_SUCCESS);
    ring_memory_free(&memory);
    do {
        drop(&service_fd);
        accept_one(service_listener, &service_fd);
        drop(&worker_fd);
        accept_one(worker_listener, &worker_fd);
    } while (service_fd >= 0 || worker_fd >= 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    input = (struct input){ data, size };
    begin();
    /* Skips the first steps, which all scripts have in common. */
    (void)doca_ctx_start(doca_urom_service_as_ctx(service));
    for (unsigned i = 0; i < STEPS_MAX && input.left > 0; ++i)
        step();
    end();
    return 0;
}
