/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random writes to the rings between a host's library and a worker, as either side could do, while
 * commands are in flight. The context of that connection fails; other contexts of the same process
 * and other hosts of the worker continue.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <doca_buf.h>
#include <jurom/urom_graph.h>

#include <testing/contexts.h>
#include <testing/daemon.h>
#include <testing/logged.h>
#include <testing/process.h>

#define ROUNDS 24
#define IN_FLIGHT 16
#define ROUND_MS 150
#define LOSS_MS 1000 /* exceeds the time that a context waits for the reason of a loss */
#define MAPS_MAX 64
#define WORKER_ID 77
#define CONTROL_SIZE 768 /* bytes of both rings, see docs/wire.md */
#define DATA_IN_USE 8192

/* Mappings of rings in this process. */
struct maps {
    unsigned count;
    uintptr_t from[MAPS_MAX];
    size_t length[MAPS_MAX];
};

static struct test_service service;
static struct test_worker victim, same, other;
static struct test_command commands[IN_FLIGHT];
static uint64_t graph;
static struct maps before, after, copies;
static atomic_bool enough;
static unsigned kind;

static void find_maps(struct maps *maps)
{
    char *text = read_text("/proc/self/maps"), *rest = text, *line;

    maps->count = 0;
    while ((line = strtok_r(rest, "\n", &rest)) != NULL) {
        unsigned long from, to;

        if (strstr(line, "jurom_ring") == NULL || sscanf(line, "%lx-%lx", &from, &to) != 2)
            continue;
        assert_true(maps->count < MAPS_MAX);
        maps->length[maps->count] = to - from;
        maps->from[maps->count++] = from;
    }
    free(text);
}

static bool is_new(uintptr_t from)
{
    for (unsigned i = 0; i < before.count; ++i) {
        if (before.from[i] == from)
            return false;
    }
    return true;
}

/* Maps the new rings again, because the library will unmap its own mappings. */
static void copy_new_maps(void)
{
    copies.count = 0;
    for (unsigned i = 0; i < after.count; ++i) {
        void *copy;

        if (!is_new(after.from[i]))
            continue;
        copy = mremap((void *)after.from[i], 0, after.length[i], MREMAP_MAYMOVE);
        assert_true(copy != MAP_FAILED);
        copies.length[copies.count] = after.length[i];
        copies.from[copies.count++] = (uintptr_t)copy;
    }
    assert_true(copies.count > 1);
}

static void remove_copies(void)
{
    for (unsigned i = 0; i < copies.count; ++i)
        munmap((void *)copies.from[i], copies.length[i]);
}

static uint64_t next_random(uint64_t *random)
{
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    return *random;
}

/* Writes to everything, to the control page only, to used data, or (rarely) anywhere. */
static void *scribble(void *unused)
{
    uint64_t random = 88172645463325252u + kind;

    while (!atomic_load(&enough)) {
        for (unsigned i = 0; i < copies.count; ++i) {
            size_t length = copies.length[i];
            bool control = length == (size_t)sysconf(_SC_PAGESIZE);

            if ((kind % 4 == 1 && !control) || (kind % 4 == 2 && control)
                    || (kind % 4 == 3 && next_random(&random) % 64 > 0))
                continue;
            length = control ? CONTROL_SIZE : kind % 4 == 2 ? DATA_IN_USE : length;
            ((volatile uint8_t *)copies.from[i])[next_random(&random) % length] =
                    (uint8_t)(next_random(&random) >> 40);
        }
    }
    return unused;
}

/* The connection may have ended between two commands. */
static void submit_again(struct test_command *command)
{
    if (command->status == DOCA_SUCCESS && !atomic_load(&enough))
        (void)!doca_task_submit(doca_urom_worker_cmd_task_as_task(command->task));
}

static void write_loopback(struct test_command *command)
{
    const struct urom_worker_graph_cmd loopback = { .type = UROM_WORKER_CMD_GRAPH_LOOPBACK };
    struct doca_buf *payload = doca_urom_worker_cmd_task_get_payload(command->task);
    void *data;

    assert_success(doca_buf_get_data(payload, &data));
    assert_success(doca_buf_set_data(payload, data, sizeof(loopback)));
    memcpy(data, &loopback, sizeof(loopback));
}

static void begin_traffic(void)
{
    for (unsigned i = 0; i < IN_FLIGHT; ++i) {
        command_new(&commands[i], &victim, graph);
        write_loopback(&commands[i]);
        commands[i].on_completion = submit_again;
        command_submit(&commands[i]);
    }
}

static void assert_served(const struct test_worker *worker)
{
    struct test_command command;

    command_new(&command, worker, graph);
    write_loopback(&command);
    command_submit(&command);
    command_await(&command, service.pe, 1, DOCA_SUCCESS);
    command_release(&command);
}

static void attack(void)
{
    uint64_t end = deadline_in(ROUND_MS);
    pthread_t thread;

    atomic_store(&enough, false);
    begin_traffic();
    assert_int_equal(0, pthread_create(&thread, NULL, scribble, NULL));
    while (!deadline_has_passed(end))
        doca_pe_progress(service.pe);
    atomic_store(&enough, true);
    pthread_join(thread, NULL);
}

static bool has_ended(void)
{
    uint64_t end = deadline_in(LOSS_MS);

    while (state_of(victim.ctx) != DOCA_CTX_STATE_IDLE && !deadline_has_passed(end))
        doca_pe_progress(service.pe);
    return state_of(victim.ctx) == DOCA_CTX_STATE_IDLE;
}

/* Frees the tasks before the context. Tasks in flight complete when the context stops. */
static void close_victim(void)
{
    if (state_of(victim.ctx) != DOCA_CTX_STATE_IDLE)
        (void)!doca_ctx_stop(victim.ctx);
    progress_until(service.pe, state_of(victim.ctx) == DOCA_CTX_STATE_IDLE, RUN_MS);
    for (unsigned i = 0; i < IN_FLIGHT; ++i)
        command_release(&commands[i]);
    worker_close(&victim);
}

static int set_up(void **state)
{
    (void)state;
    service_open(&service);
    graph = plugin_id(&service, "worker_graph");
    log_keep();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    service_close(&service);
    return 0;
}

static void open_with_id(struct test_worker *worker)
{
    worker_new(worker, service.pe, &service, "worker_graph");
    assert_success(doca_urom_worker_set_id(worker->worker, WORKER_ID));
    worker_run(worker);
}

static void scribbles_in_shared_memory_end_their_own_connection_only(void **state)
{
    unsigned ended = 0;

    (void)state;
    open_with_id(&same);
    worker_open(&other, service.pe, &service, "worker_graph");
    for (kind = 0; kind < ROUNDS; ++kind) {
        find_maps(&before);
        open_with_id(&victim);
        find_maps(&after);
        copy_new_maps();
        attack();

        assert_served(&same);
        assert_served(&other);
        ended += has_ended();
        close_victim();
        remove_copies();
    }
    print_message("%u of %d connections ended\n", ended, ROUNDS);
    assert_true(ended > 0);
    worker_close(&same);
    worker_close(&other);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
                scribbles_in_shared_memory_end_their_own_connection_only, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, daemon_set_up, daemon_tear_down);
}
