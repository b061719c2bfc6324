/* SPDX-License-Identifier: Apache-2.0 */
/* Start and main loop: reads CONFIGURE, sends READY, serves until the service ends the worker. */
#include <errno.h>
#include <inttypes.h>
#include <malloc.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <common/sdk_log.h>
#include <faults/faults.h>

#include "counting.h"
#include "departure.h"
#include "launcher.h"
#include "pipe_frame.h"
#include "serve.h"
#include "worker.h"

SDK_LOG_REGISTER(UROM::WORKER)

#define MESSAGE_SIZE_MIN 256
#define MESSAGE_SIZE_MAX (64u << 20)
#define CONFIGURE_MAX 512
#define WAITING_MIN 1048576u /* lower bound of waiting_max, in bytes */
#define FRAMES_AT_ONCE 8
#define LISTED_MAX (WIRE_CONTROL_MAX - 64) /* bytes of the plugins' addresses in ATTACHED */

/* Logs to standard error at the level in UROM_WORKER_LOG_LEVEL. */
static void open_log(void)
{
    const char *level = secure_getenv("UROM_WORKER_LOG_LEVEL");
    struct doca_log_backend *own;

    /* One for the plugins, one for the worker itself. */
    doca_log_backend_create_standard();
    doca_log_backend_create_with_file_sdk(stderr, &own);
    if (level == NULL)
        return;
    doca_log_level_set_global_lower_limit((uint32_t)atoi(level));
    doca_log_level_set_global_sdk_limit((uint32_t)atoi(level));
}

static void set_affinity(const uint8_t *bits)
{
    cpu_set_t set;

    CPU_ZERO(&set);
    for (int cpu = 0; cpu < 8 * WIRE_CPU_SET_SIZE && cpu < CPU_SETSIZE; ++cpu) {
        if (bits[cpu / 8] & 1u << cpu % 8)
            CPU_SET(cpu, &set);
    }
    /* With --cores, the set may contain CPUs that the machine lacks; the kernel ignores them. */
    if (sched_setaffinity(0, sizeof(set), &set) != 0)
        SDK_LOG_WARN("The worker's CPU set could not be applied: %s", strerror(errno));
}

static void set_message_size(struct worker *worker, uint32_t size)
{
    worker->max_message_size = size;
    worker->waiting_max = 2 * (size_t)size > WAITING_MIN ? 2 * (size_t)size : WAITING_MIN;
    worker->poll_frames = FRAMES_AT_ONCE * (size_t)size <= worker->waiting_max ? FRAMES_AT_ONCE : 1;
}

static doca_error_t read_configuration(struct worker *worker, char why[WHY_MAX])
{
    uint8_t bytes[CONFIGURE_MAX];
    struct wire_frame frame;
    doca_error_t status = pipe_read_frame(
            worker->service.input, WIRE_CONFIGURE, bytes, sizeof(bytes), &frame, why);

    if (status != DOCA_SUCCESS)
        return status;
    if (frame.configure.max_message_size < MESSAGE_SIZE_MIN
            || frame.configure.max_message_size > MESSAGE_SIZE_MAX)
        return because(why, DOCA_ERROR_INVALID_VALUE,
                "the maximum message size of %" PRIu32 " bytes is not within %u and %u",
                frame.configure.max_message_size, MESSAGE_SIZE_MIN, MESSAGE_SIZE_MAX);

    worker->id = frame.configure.worker_id;
    set_message_size(worker, frame.configure.max_message_size);
    if (frame.configure.flags & WIRE_FLAG_HAS_CPU_SET)
        set_affinity(frame.configure.cpu_set);
    return DOCA_SUCCESS;
}

/* Loads and opens the plugin of one `so_path:id` argument. */
static doca_error_t add_plugin(struct worker *worker, char *argument, char why[WHY_MAX])
{
    struct plugin *plugin = &worker->plugins[worker->plugin_count];
    char *colon = strrchr(argument, ':');
    char *end = NULL;
    doca_error_t status;
    uint64_t id;

    id = colon == NULL ? 0 : strtoull(colon + 1, &end, 0);
    if (id == 0 || (id & (id - 1)) != 0 || *end != '\0' || worker->by_bit[__builtin_ctzll(id)]
            || worker->plugin_count == PLUGINS_MAX)
        return because(why, DOCA_ERROR_INVALID_VALUE,
                "the argument %s is not so_path:id with an "
                "id of one bit, its own",
                argument);
    *colon = '\0';
    status = plugin_load(plugin, argument, why);
    if (status == DOCA_SUCCESS)
        status = plugin_open(plugin, &worker->domains, &worker->activity, why);
    if (status != DOCA_SUCCESS)
        return status;

    plugin->id = id;
    worker->by_bit[__builtin_ctzll(id)] = plugin;
    ++worker->plugin_count;
    return DOCA_SUCCESS;
}

/* Encodes the plugins' addresses as ATTACHED carries them. */
static doca_error_t list_addresses(struct worker *worker, char why[WHY_MAX])
{
    uint8_t *bytes = malloc(LISTED_MAX);
    size_t length = 0;

    if (bytes == NULL)
        return DOCA_ERROR_NO_MEMORY;
    worker->addresses.data = bytes;
    for (unsigned i = 0; i < worker->plugin_count; ++i) {
        struct wire_plugin_address address = {
            .plugin = worker->plugins[i].id,
            .address = { worker->plugins[i].address, worker->plugins[i].address_length },
        };

        if (wire_add_plugin_address(bytes, LISTED_MAX, &length, &address) != DOCA_SUCCESS)
            return because(why, DOCA_ERROR_TOO_BIG,
                    "the addresses of the plugins exceed %d bytes "
                    "in total",
                    LISTED_MAX);
    }
    worker->addresses.length = length;
    bytes = realloc(bytes, length + 1);
    if (bytes != NULL)
        worker->addresses.data = bytes;
    return DOCA_SUCCESS;
}

/* Returns the Unix socket inherited from the launcher, or -1. */
static int inherited_socket(void)
{
    struct stat status;

    return fstat(LAUNCHED_LISTENER, &status) == 0 && S_ISSOCK(status.st_mode) ? LAUNCHED_LISTENER
                                                                              : -1;
}

static doca_error_t set_up(struct worker *worker, int plugins, char **plugin, char why[WHY_MAX])
{
    doca_error_t status = read_configuration(worker, why);

    FAULT_REACH(worker_configured);
    if (status == DOCA_SUCCESS)
        status = rest_init(worker);
    if (status == DOCA_SUCCESS && !service_open(worker))
        status = DOCA_ERROR_OPERATING_SYSTEM;
    for (int i = 0; i < plugins && status == DOCA_SUCCESS; ++i)
        status = add_plugin(worker, plugin[i], why);
    if (status == DOCA_SUCCESS)
        status = list_addresses(worker, why);
    if (status == DOCA_SUCCESS)
        status = listeners_init(worker, inherited_socket(), why);
    if (status == DOCA_SUCCESS)
        status = departure_watch(worker->service.input);
    if (status != DOCA_SUCCESS && why[0] == '\0')
        because(why, status, "the worker could not be set up: %s", doca_error_get_descr(status));
    return status;
}

/* Reports the result of the set-up to the service with READY or ERROR. */
static bool report(const struct worker *worker, doca_error_t status, const char *why)
{
    const struct wire_frame ready = {
        .type = WIRE_READY,
        .ready.process_id = (uint32_t)getpid(),
    };

    FAULT_REACH(worker_ready_sending);
    if (status == DOCA_SUCCESS) {
        counting_begin(worker); /* before READY, so that hosts find valid counters */
        return pipe_write_frame(worker->service.output, &ready);
    }
    pipe_write_error(worker->service.output, status, why);
    return false;
}

/*
 * The plugin interface requires a block per command and notification. Keeps large blocks on the
 * heap, because mapping each anew would cost a page fault for every 4 KiB.
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
        unsigned found = hosts_serve(worker);

        found += dispatch_commands(worker);
        found += dispatch_notifications(worker);
        notifications_push(worker);
        worker->closing = channels_closing();
        if (found > 0)
            rest_not(worker);
        else
            rest(worker);
    }
}

/* Publishes the results that plugins have finished. Does not wait for unfinished commands. */
static void finish(struct worker *worker)
{
    departure_begin();
    FAULT_REACH(worker_leaving);
    dispatch_all_notifications(worker);
    notifications_push(worker);
    hosts_finish(worker);
}

/* Frees everything, also after a failed set-up. */
static void tear_down(struct worker *worker)
{
    worker->leaving = true; /* frames that still arrive are dropped */
    FAULT_REACH(worker_tearing_down);
    strangers_free(worker);
    connections_free(worker);
    while (worker->plugin_count > 0)
        plugin_close(&worker->plugins[--worker->plugin_count]);
    domains_free(&worker->domains);
    notifications_free(worker);
    blocks_free(&worker->blocks);
    free((uint8_t *)worker->addresses.data);
    departure_done();
}

/* Consumes the next argument if it is this option, and returns its value; else returns NULL. */
static char *take_option(const char *option, int *count, char ***arguments)
{
    const size_t length = strlen(option);
    char *next = **arguments;

    if (*count == 0 || strncmp(next, option, length) != 0)
        return NULL;
    --*count;
    ++*arguments;
    return next + length;
}

int serve(int count, char **arguments)
{
    static struct worker worker;
    char why[WHY_MAX] = "";
    doca_error_t status = DOCA_ERROR_OPERATING_SYSTEM;

    signal(SIGPIPE, SIG_IGN);
    setenv("UCX_ERROR_SIGNALS", "", 1); /* UCX in plugins must not handle signals */
    setenv("UCX_DEBUG_SIGNO", "0", 1);
    signal(SIGXFSZ, SIG_IGN); /* a log at its size limit must not end the worker */
    prctl(PR_SET_NAME, "urom_worker");
    activity_init(&worker.activity, take_option(ACTIVITY_OPTION, &count, &arguments));
    open_log();
    strangers_init(&worker.strangers, connection_accept);
    connections_init(&worker.connections);
    receive_init(&worker.connections.receiver);
    domains_init(&worker.domains);
    tickets_init(&worker.tickets, service_read);
    counting_open();
    if (service_take_pipes(&worker.service))
        status = set_up(&worker, count, arguments, why);
    if (!report(&worker, status, why)) {
        SDK_LOG_ERR("The worker did not start: %s", why);
        tear_down(&worker);
        return EXIT_FAILURE;
    }
    FAULT_REACH(worker_ready_sent);
    keep_memory(&worker);
    SDK_LOG_INFO("Worker %" PRIu64 " runs with %u plugins", worker.id, worker.plugin_count);
    run(&worker);
    finish(&worker);
    tear_down(&worker);
    return EXIT_SUCCESS;
}
