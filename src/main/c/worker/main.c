/* SPDX-License-Identifier: Apache-2.0 */
/*
 * urom_worker: the process that hosts plugins and runs commands. Started by the service.
 *
 *     urom_worker so_path:id...    a CONFIGURE frame on standard input, READY on standard output
 *     urom_worker --probe FILE     prints the plugin's version, or why it is none
 */
#include <errno.h>
#include <inttypes.h>
#include <malloc.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <common/sdk_log.h>

#include "worker.h"

SDK_LOG_REGISTER(UROM::WORKER)

#define REASON_MAX 1024
#define MESSAGE_SIZE_MIN 256
#define MESSAGE_SIZE_MAX (64u << 20)

static int probe(const char *path)
{
    char why[REASON_MAX] = "";
    struct plugin plugin;
    uint64_t version = 0;
    doca_error_t status = plugin_load(&plugin, path, why, sizeof(why));

    if (status == DOCA_SUCCESS) {
        status = plugin_version(&plugin, &version);
        if (status != DOCA_SUCCESS)
            snprintf(why, sizeof(why), "urom_plugin_get_version of %s failed: %s", path,
                    doca_error_get_descr(status));
    }
    if (status != DOCA_SUCCESS) {
        fprintf(stderr, "%s\n", why);
        return EXIT_FAILURE;
    }
    printf("version=%" PRIu64 "\n", version);
    return EXIT_SUCCESS;
}

static bool read_all(int fd, uint8_t *data, size_t length)
{
    while (length > 0) {
        ssize_t count = read(fd, data, length);

        if (count <= 0 && !(count < 0 && errno == EINTR))
            return false;
        data += count > 0 ? count : 0;
        length -= count > 0 ? (size_t)count : 0;
    }
    return true;
}

static bool write_all(int fd, const uint8_t *data, size_t length)
{
    while (length > 0) {
        ssize_t count = write(fd, data, length);

        if (count < 0 && errno != EINTR)
            return false;
        data += count > 0 ? count : 0;
        length -= count > 0 ? (size_t)count : 0;
    }
    return true;
}

static void set_affinity(const uint8_t *bits)
{
    cpu_set_t set;

    CPU_ZERO(&set);
    for (int cpu = 0; cpu < 8 * WIRE_CPU_SET_SIZE && cpu < CPU_SETSIZE; ++cpu) {
        if (bits[cpu / 8] & 1u << cpu % 8)
            CPU_SET(cpu, &set);
    }
    /* The CPUs of a service may outnumber the machine's (--cores): what exists is used. */
    if (sched_setaffinity(0, sizeof(set), &set) != 0)
        SDK_LOG_WARN("The worker's CPU set could not be applied: %s", strerror(errno));
}

static doca_error_t read_configuration(struct worker *worker, char *why)
{
    uint8_t bytes[512];
    struct wire_frame frame;
    size_t length = 0;
    doca_error_t status = DOCA_ERROR_IO_FAILED;

    if (read_all(STDIN_FILENO, bytes, WIRE_HEADER_SIZE))
        status = wire_frame_length(bytes, WIRE_CONTROL_MAX, &length);
    if (status == DOCA_SUCCESS && length > sizeof(bytes))
        status = DOCA_ERROR_TOO_BIG;
    if (status == DOCA_SUCCESS
            && !read_all(STDIN_FILENO, bytes + WIRE_HEADER_SIZE, length - WIRE_HEADER_SIZE))
        status = DOCA_ERROR_IO_FAILED;
    if (status == DOCA_SUCCESS)
        status = wire_decode(bytes, length, WIRE_CONTROL_MAX, &frame);
    if (status == DOCA_SUCCESS && frame.type != WIRE_CONFIGURE)
        status = DOCA_ERROR_UNEXPECTED;
    if (status != DOCA_SUCCESS) {
        snprintf(why, REASON_MAX, "no CONFIGURE frame on standard input: %s. The service starts "
                "workers; nobody else can.", doca_error_get_descr(status));
        return status;
    }

    if (frame.configure.max_message_size < MESSAGE_SIZE_MIN
            || frame.configure.max_message_size > MESSAGE_SIZE_MAX) {
        snprintf(why, REASON_MAX, "the maximum message size of %" PRIu32 " bytes is not within %u "
                "and %u", frame.configure.max_message_size, MESSAGE_SIZE_MIN, MESSAGE_SIZE_MAX);
        return DOCA_ERROR_INVALID_VALUE;
    }

    memcpy(worker->token, frame.configure.token, WIRE_TOKEN_SIZE);
    worker->id = frame.configure.worker_id;
    worker->max_message_size = frame.configure.max_message_size;
    if (frame.configure.flags & WIRE_FLAG_HAS_CPU_SET)
        set_affinity(frame.configure.cpu_set);
    return DOCA_SUCCESS;
}

/* Loads and opens the plugin of one `so_path:id` argument. */
static doca_error_t add_plugin(struct worker *worker, char *argument, char *why)
{
    struct plugin *plugin = &worker->plugins[worker->plugin_count];
    char *colon = strrchr(argument, ':');
    char *end = NULL;
    doca_error_t status;
    uint64_t id;

    id = colon == NULL ? 0 : strtoull(colon + 1, &end, 0);
    if (id == 0 || (id & (id - 1)) != 0 || *end != '\0' || worker->by_bit[__builtin_ctzll(id)]
            || worker->plugin_count == PLUGINS_MAX) {
        snprintf(why, REASON_MAX, "the argument %s is not so_path:id with an id of one bit, its "
                "own", argument);
        return DOCA_ERROR_INVALID_VALUE;
    }
    *colon = '\0';
    status = plugin_load(plugin, argument, why, REASON_MAX);
    if (status == DOCA_SUCCESS)
        status = plugin_open(plugin, &worker->domains, why, REASON_MAX);
    if (status != DOCA_SUCCESS)
        return status;

    plugin->id = id;
    worker->by_bit[__builtin_ctzll(id)] = plugin;
    ++worker->plugin_count;
    return DOCA_SUCCESS;
}

static doca_error_t set_up(struct worker *worker, int arguments, char **argument, char *why)
{
    doca_error_t status = read_configuration(worker, why);

    domains_init(&worker->domains);
    if (status == DOCA_SUCCESS)
        status = connections_init(&worker->connections);
    if (status == DOCA_SUCCESS)
        status = net_open(&worker->net, NET_DATA, receive, worker, NULL);
    for (int i = 0; i < arguments && status == DOCA_SUCCESS; ++i)
        status = add_plugin(worker, argument[i], why);
    if (status == DOCA_SUCCESS)
        status = rest_init(worker);
    if (status != DOCA_SUCCESS && why[0] == '\0')
        snprintf(why, REASON_MAX, "the worker could not be set up: %s",
                doca_error_get_descr(status));
    return status;
}

/* Tells the service how the set-up went: READY with this worker's address, or ERROR. */
static bool report(struct worker *worker, int fd, doca_error_t status, const char *why)
{
    struct wire_frame frame = { .type = WIRE_ERROR };
    uint8_t bytes[8192];
    ucp_address_t *address = NULL;
    size_t length = 0;
    bool written = false;

    if (status == DOCA_SUCCESS)
        status = net_address(&worker->net, &address, &length);
    if (status == DOCA_SUCCESS) {
        frame.type = WIRE_READY;
        frame.ready.process_id = (uint32_t)getpid();
        frame.ready.address = (struct wire_bytes){ (const uint8_t *)address, length };
    } else {
        frame.error.status = status;
        frame.error.text = (struct wire_bytes){ (const uint8_t *)why, strlen(why) };
    }
    if (wire_encode(&frame, bytes, sizeof(bytes), &length) == DOCA_ERROR_INVALID_VALUE) {
        why = doca_error_get_descr(status); /* the reason has bytes that are no text */
        frame.error.text = (struct wire_bytes){ (const uint8_t *)why, strlen(why) };
    }
    if (wire_encode(&frame, bytes, sizeof(bytes), &length) == DOCA_SUCCESS)
        written = write_all(fd, bytes, length);
    if (address != NULL)
        net_free_address(&worker->net, address);
    return written && status == DOCA_SUCCESS;
}

/*
 * Every command and notification is a block of its own, by the interface. Large ones are to come
 * from memory that is there already: mapping them anew would cost a page fault for every 4 KiB.
 */
static void keep_memory(const struct worker *worker)
{
    int largest = (int)worker->max_message_size;

    mallopt(M_MMAP_THRESHOLD, 2 * largest);
    mallopt(M_TRIM_THRESHOLD, 16 * largest);
}

static void run(struct worker *worker)
{
    while (!worker->leaving) {
        unsigned found = net_progress(&worker->net);

        found += dispatch_commands(worker);
        found += dispatch_notifications(worker);
        if (found > 0)
            rest_not(worker);
        else
            rest(worker);
    }
}

/* Also after a set-up that failed: what is not there is passed over. */
static void tear_down(struct worker *worker)
{
    worker->leaving = true; /* what still arrives is dropped */
    while (worker->plugin_count > 0)
        plugin_close(&worker->plugins[--worker->plugin_count]);
    if (worker->connections.at != NULL)
        connections_free(&worker->connections);
    domains_free(&worker->domains);
    if (worker->net.worker != NULL)
        net_close(&worker->net);
    dispatch_free(worker);
}

/* Logs to standard error, which the service sends to a file, at the level that it asks for. */
static void set_up_log(void)
{
    const char *level = getenv("UROM_WORKER_LOG_LEVEL");
    struct doca_log_backend *own;

    /* One for the plugins, one for the worker itself. */
    doca_log_backend_create_standard();
    doca_log_backend_create_with_file_sdk(stderr, &own);
    if (level == NULL)
        return;
    doca_log_level_set_global_lower_limit((uint32_t)atoi(level));
    doca_log_level_set_global_sdk_limit((uint32_t)atoi(level));
}

/* Keeps standard output for frames: what plugins print goes to standard error. */
static int take_output(void)
{
    int fd = dup(STDOUT_FILENO);

    if (fd >= 0)
        dup2(STDERR_FILENO, STDOUT_FILENO);
    return fd;
}

int main(int argc, char **argv)
{
    static struct worker worker;
    char why[REASON_MAX] = "";
    doca_error_t status;
    bool ready;
    int output;

    if (argc == 3 && strcmp(argv[1], "--probe") == 0)
        return probe(argv[2]);

    signal(SIGPIPE, SIG_IGN);
    prctl(PR_SET_NAME, "urom_worker");
    output = take_output();
    set_up_log();
    status = set_up(&worker, argc - 1, argv + 1, why);
    ready = report(&worker, output, status, why);
    if (!ready) {
        SDK_LOG_ERR("The worker did not start: %s", why);
        tear_down(&worker);
        return EXIT_FAILURE;
    }
    keep_memory(&worker);
    SDK_LOG_INFO("Worker %" PRIu64 " runs with %u plugins", worker.id, worker.plugin_count);
    run(&worker);
    tear_down(&worker);
    return EXIT_SUCCESS;
}
