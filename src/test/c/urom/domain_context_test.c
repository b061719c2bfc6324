/* SPDX-License-Identifier: Apache-2.0 */
/* Domain contexts: two participants in one process, whose exchange is an array. */
#include <signal.h>
#include <string.h>

#include <testing/contexts.h>
#include <testing/daemon.h>
#include <testing/logged.h>

#define PARTICIPANTS 2
#define BLOCK_MAX 4096
#define DOMAINS_MAX 64 /* of one connection to a worker */
#define ALLGATHERS 3   /* of a start: announcements, parts, verdicts */
#define NOT_YET 10     /* calls of progress during which nothing must happen */

/* An all-gather completes when all participants have called it. */
struct participant {
    struct doca_urom_domain *domain;
    struct doca_ctx *ctx;
    struct test_worker worker;
    const void *send; /* NULL: not called, or tested */
    void *receive;
    size_t length;
    unsigned gathered, freed; /* requests */
};

static struct test_service service;
static struct doca_pe *pe;
static struct participant participants[PARTICIPANTS];
static unsigned round_number;
static bool is_held;           /* no all-gather completes */
static doca_error_t beginning; /* result of the all-gather callback of participant 1 */
static doca_error_t testing;   /* result of its test */
static struct {
    unsigned round; /* 0: none */
    size_t offset;
    uint8_t value;
} damage; /* of the block of participant 1 */

static doca_error_t gather(void *send, void *receive, size_t length, void *info, void **request)
{
    struct participant *participant = info;

    if (participant == &participants[1] && beginning != DOCA_SUCCESS)
        return beginning;
    participant->send = send;
    participant->receive = receive;
    participant->length = length;
    ++participant->gathered;
    *request = participant;
    return DOCA_SUCCESS;
}

static void copy_blocks(void)
{
    size_t length = participants[0].length;

    ++round_number;
    for (unsigned from = 0; from < PARTICIPANTS; ++from) {
        uint8_t block[BLOCK_MAX];

        assert_int_equal(length, participants[from].length);
        assert_true(length <= sizeof(block));
        memcpy(block, participants[from].send, length);
        if (from == 1 && damage.round == round_number)
            block[damage.offset] = damage.value;
        for (unsigned to = 0; to < PARTICIPANTS; ++to)
            memcpy((uint8_t *)participants[to].receive + from * length, block, length);
    }
    for (unsigned i = 0; i < PARTICIPANTS; ++i)
        participants[i].send = NULL;
}

static doca_error_t test_request(void *request)
{
    struct participant *participant = request;

    if (participant == &participants[1] && testing != DOCA_SUCCESS)
        return testing;
    if (is_held)
        return DOCA_ERROR_IN_PROGRESS;
    if (participants[0].send != NULL && participants[1].send != NULL)
        copy_blocks();
    return participant->send == NULL ? DOCA_SUCCESS : DOCA_ERROR_IN_PROGRESS;
}

static doca_error_t free_request(void *request)
{
    ++((struct participant *)request)->freed;
    return DOCA_SUCCESS;
}

static struct doca_urom_domain_oob_coll exchange_of(unsigned index)
{
    return (struct doca_urom_domain_oob_coll){ gather, test_request, free_request,
        &participants[index], PARTICIPANTS, index };
}

static void set_workers(struct participant *participant, uint64_t id)
{
    assert_success(
            doca_urom_domain_set_workers(participant->domain, &id, &participant->worker.worker, 1));
}

static int set_up(void **state)
{
    (void)state;
    round_number = 0;
    is_held = false;
    beginning = testing = DOCA_SUCCESS;
    damage.round = 0;
    service_open(&service);
    pe = service.pe;
    for (unsigned i = 0; i < PARTICIPANTS; ++i) {
        struct participant *participant = &participants[i];
        struct doca_urom_domain_oob_coll exchange = exchange_of(i);

        *participant = (struct participant){ .domain = NULL };
        worker_open(&participant->worker, pe, &service, "worker_puppet");
        assert_success(doca_urom_domain_create(&participant->domain));
        participant->ctx = doca_urom_domain_as_ctx(participant->domain);
        assert_success(doca_pe_connect_ctx(pe, participant->ctx));
        assert_success(doca_urom_domain_set_oob(participant->domain, &exchange));
        set_workers(participant, i + 1);
    }
    return 0;
}

static void destroy_domain(struct participant *participant)
{
    if (participant->domain == NULL)
        return;
    if (state_of(participant->ctx) != DOCA_CTX_STATE_IDLE)
        doca_ctx_stop(participant->ctx);
    progress_until(pe, state_of(participant->ctx) == DOCA_CTX_STATE_IDLE, RUN_MS);
    assert_success(doca_urom_domain_destroy(participant->domain));
    participant->domain = NULL;
}

static int tear_down(void **state)
{
    (void)state;
    is_held = false;
    for (unsigned i = 0; i < PARTICIPANTS; ++i) {
        destroy_domain(&participants[i]);
        worker_close(&participants[i].worker);
    }
    service_close(&service);
    return 0;
}

static void start(void)
{
    for (unsigned i = 0; i < PARTICIPANTS; ++i)
        assert_status(DOCA_ERROR_IN_PROGRESS, doca_ctx_start(participants[i].ctx));
}

static void assert_both_become(enum doca_ctx_states state)
{
    for (unsigned i = 0; i < PARTICIPANTS; ++i) {
        progress_until(pe, state_of(participants[i].ctx) != DOCA_CTX_STATE_STARTING, RUN_MS);
        assert_int_equal(state, state_of(participants[i].ctx));
    }
}

static void assert_requests_freed(void)
{
    for (unsigned i = 0; i < PARTICIPANTS; ++i)
        assert_int_equal(participants[i].gathered, participants[i].freed);
}

static void stop_all(void)
{
    for (unsigned i = 0; i < PARTICIPANTS; ++i) {
        assert_success(doca_ctx_stop(participants[i].ctx));
        assert_int_equal(DOCA_CTX_STATE_IDLE, state_of(participants[i].ctx));
    }
}

static void a_domain_runs_and_starts_again_after_a_stop(void **state)
{
    (void)state;
    for (unsigned times = 1; times <= 2; ++times) {
        start();
        assert_both_become(DOCA_CTX_STATE_RUNNING);
        assert_int_equal(times * ALLGATHERS, participants[0].gathered);
        assert_requests_freed();
        stop_all();
    }
}

static void a_start_waits_for_all_participants(void **state)
{
    (void)state;
    assert_status(DOCA_ERROR_IN_PROGRESS, doca_ctx_start(participants[0].ctx));
    for (unsigned i = 0; i < NOT_YET; ++i)
        doca_pe_progress(pe);
    assert_int_equal(DOCA_CTX_STATE_STARTING, state_of(participants[0].ctx));

    assert_status(DOCA_ERROR_IN_PROGRESS, doca_ctx_start(participants[1].ctx));
    assert_both_become(DOCA_CTX_STATE_RUNNING);
}

static void a_domain_with_buffers_runs(void **state)
{
    static uint8_t bytes[64];
    uint8_t key[] = { 1, 2, 3 };

    (void)state;
    for (unsigned i = 0; i < PARTICIPANTS; ++i) {
        struct doca_urom_domain *domain = participants[i].domain;

        assert_success(doca_urom_domain_set_buffers_count(domain, 2));
        assert_success(doca_urom_domain_add_buffer(domain, bytes, 64, key, 3, key, 2));
        assert_success(doca_urom_domain_add_buffer(domain, bytes, 1, NULL, 0, NULL, 0));
    }
    start();
    assert_both_become(DOCA_CTX_STATE_RUNNING);
}

static void all_settings_of_a_domain_that_is_not_idle_are_rejected(void **state)
{
    struct doca_urom_domain *domain = participants[0].domain;
    struct doca_urom_domain_oob_coll exchange = exchange_of(0);
    uint64_t id = 1;

    (void)state;
    start();
    for (unsigned i = 0; i < 2; ++i) {
        assert_status(DOCA_ERROR_BAD_STATE, doca_urom_domain_set_oob(domain, &exchange));
        assert_status(DOCA_ERROR_BAD_STATE, doca_urom_domain_set_buffers_count(domain, 1));
        assert_status(DOCA_ERROR_BAD_STATE,
                doca_urom_domain_add_buffer(domain, &id, sizeof(id), NULL, 0, NULL, 0));
        assert_status(DOCA_ERROR_BAD_STATE,
                doca_urom_domain_set_workers(domain, &id, &participants[0].worker.worker, 1));
        assert_status(DOCA_ERROR_NOT_PERMITTED, doca_urom_domain_destroy(domain));
        assert_both_become(DOCA_CTX_STATE_RUNNING);
    }
}

static void invalid_settings_are_rejected(void **state)
{
    struct doca_urom_domain *domain = participants[0].domain;
    struct doca_urom_worker *workers[] = { participants[0].worker.worker, NULL };
    struct doca_urom_domain_oob_coll exchanges[] = { exchange_of(0), exchange_of(0), exchange_of(0),
        exchange_of(PARTICIPANTS) };
    uint64_t ids[] = { 7, 7 };

    (void)state;
    exchanges[0].allgather = NULL;
    exchanges[1].req_test = NULL;
    exchanges[2].req_free = NULL;
    for (unsigned i = 0; i < 4; ++i)
        assert_status(DOCA_ERROR_INVALID_VALUE, doca_urom_domain_set_oob(domain, &exchanges[i]));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_urom_domain_set_oob(domain, NULL));

    assert_status(DOCA_ERROR_INVALID_VALUE, doca_urom_domain_set_workers(domain, NULL, workers, 1));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_urom_domain_set_workers(domain, ids, NULL, 1));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_urom_domain_set_workers(domain, ids, workers, 0));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_urom_domain_set_workers(domain, ids, workers, 2));
    workers[1] = workers[0];
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_urom_domain_set_workers(domain, ids, workers, 2));
    ids[1] = 8;
    assert_success(doca_urom_domain_set_workers(domain, ids, workers, 2));

    assert_status(DOCA_ERROR_INVALID_VALUE, doca_urom_domain_create(NULL));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_urom_domain_destroy(NULL));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_urom_domain_set_buffers_count(NULL, 1));
    assert_null(doca_urom_domain_as_ctx(NULL));
}

static void invalid_buffers_are_rejected(void **state)
{
    struct doca_urom_domain *domain = participants[0].domain;
    uint8_t bytes[8];

    (void)state;
    assert_status(
            DOCA_ERROR_BAD_STATE, doca_urom_domain_add_buffer(domain, bytes, 8, NULL, 0, NULL, 0));
    assert_success(doca_urom_domain_set_buffers_count(domain, 1));
    assert_status(DOCA_ERROR_INVALID_VALUE,
            doca_urom_domain_add_buffer(domain, NULL, 8, NULL, 0, NULL, 0));
    assert_status(DOCA_ERROR_INVALID_VALUE,
            doca_urom_domain_add_buffer(domain, bytes, 0, NULL, 0, NULL, 0));
    assert_status(DOCA_ERROR_INVALID_VALUE,
            doca_urom_domain_add_buffer(domain, bytes, SIZE_MAX, NULL, 0, NULL, 0));
    assert_status(DOCA_ERROR_INVALID_VALUE,
            doca_urom_domain_add_buffer(domain, bytes, 8, NULL, 1, NULL, 0));
    assert_status(DOCA_ERROR_INVALID_VALUE,
            doca_urom_domain_add_buffer(domain, bytes, 8, NULL, 0, NULL, 1));
    assert_status(DOCA_ERROR_INVALID_VALUE,
            doca_urom_domain_add_buffer(domain, bytes, 8, bytes, SIZE_MAX, NULL, 0));
    assert_status(DOCA_ERROR_INVALID_VALUE,
            doca_urom_domain_add_buffer(domain, bytes, 8, NULL, 0, bytes, SIZE_MAX));
    assert_success(doca_urom_domain_add_buffer(
            domain, (void *)UINTPTR_MAX, 1, NULL, 0, NULL, 0)); /* the last byte of all memory */
    assert_status(DOCA_ERROR_FULL, doca_urom_domain_add_buffer(domain, bytes, 8, NULL, 0, NULL, 0));
    assert_success(doca_urom_domain_set_buffers_count(domain, 1)); /* removes the buffer */
    assert_success(doca_urom_domain_add_buffer(domain, bytes, 8, NULL, 0, NULL, 0));
}

static void a_domain_that_lacks_settings_does_not_start(void **state)
{
    struct doca_urom_domain_oob_coll exchange = exchange_of(0);
    struct participant other = { .worker = participants[0].worker };

    (void)state;
    assert_success(doca_urom_domain_create(&other.domain));
    other.ctx = doca_urom_domain_as_ctx(other.domain);
    assert_success(doca_pe_connect_ctx(pe, other.ctx));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_ctx_start(other.ctx));
    assert_success(doca_urom_domain_set_oob(other.domain, &exchange));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_ctx_start(other.ctx));
    set_workers(&other, 1);
    assert_success(doca_urom_domain_set_buffers_count(other.domain, 1));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_ctx_start(other.ctx));
    assert_success(doca_urom_domain_set_buffers_count(other.domain, 0));
    assert_status(DOCA_ERROR_IN_PROGRESS, doca_ctx_start(other.ctx));
    destroy_domain(&other);
}

static void the_workers_of_a_domain_run_on_its_engine(void **state)
{
    struct participant *participant = &participants[0];
    struct test_worker worker, other;
    struct doca_pe *other_pe;
    uint64_t id = 1;

    (void)state;
    worker_new(&worker, pe, &service, "worker_puppet");
    assert_success(doca_urom_domain_set_workers(participant->domain, &id, &worker.worker, 1));
    assert_status(DOCA_ERROR_BAD_STATE, doca_ctx_start(participant->ctx));
    worker_close(&worker);
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_ctx_start(participant->ctx)); /* destroyed */

    assert_success(doca_pe_create(&other_pe));
    worker_new(&other, other_pe, &service, "worker_puppet");
    assert_success(doca_urom_domain_set_workers(participant->domain, &id, &other.worker, 1));
    assert_status(DOCA_ERROR_INVALID_VALUE, doca_ctx_start(participant->ctx));
    worker_close(&other);
    assert_success(doca_pe_destroy(other_pe));
}

static void a_failed_all_gather_fails_the_start(void **state)
{
    (void)state;
    beginning = DOCA_ERROR_IO_FAILED;
    assert_status(DOCA_ERROR_IN_PROGRESS, doca_ctx_start(participants[1].ctx));
    progress_until(pe, state_of(participants[1].ctx) == DOCA_CTX_STATE_IDLE, RUN_MS);
    assert_int_equal(0, participants[1].freed);

    beginning = DOCA_SUCCESS;
    testing = DOCA_ERROR_IO_FAILED;
    assert_status(DOCA_ERROR_IN_PROGRESS, doca_ctx_start(participants[1].ctx));
    progress_until(pe, state_of(participants[1].ctx) == DOCA_CTX_STATE_IDLE, RUN_MS);
    assert_int_equal(1, participants[1].freed);

    testing = DOCA_SUCCESS;
    participants[1].send = NULL;
    start();
    assert_both_become(DOCA_CTX_STATE_RUNNING);
}

static void participants_with_the_same_worker_id_do_not_start(void **state)
{
    (void)state;
    set_workers(&participants[1], 1);
    start();
    assert_both_become(DOCA_CTX_STATE_IDLE);
    assert_requests_freed();

    set_workers(&participants[1], 2);
    start();
    assert_both_become(DOCA_CTX_STATE_RUNNING);
}

static void participants_with_different_numbers_of_buffers_do_not_start(void **state)
{
    uint8_t bytes[8];

    (void)state;
    assert_success(doca_urom_domain_set_buffers_count(participants[1].domain, 1));
    assert_success(doca_urom_domain_add_buffer(participants[1].domain, bytes, 8, NULL, 0, NULL, 0));
    start();
    assert_both_become(DOCA_CTX_STATE_IDLE);
}

static void a_changed_block_fails_the_start(void **state)
{
    (void)state;
    for (unsigned round = 1; round <= ALLGATHERS; ++round) {
        damage.round = round;
        damage.value = 0xFF;
        round_number = 0;
        start();
        assert_both_become(DOCA_CTX_STATE_IDLE);
        assert_requests_freed();
    }
    damage.round = 0;
    start();
    assert_both_become(DOCA_CTX_STATE_RUNNING);
}

static void a_worker_that_is_lost_fails_the_start_of_all_participants(void **state)
{
    struct test_worker *lost = &participants[1].worker;
    pid_t process = process_of(lost, plugin_id(&service, "worker_puppet"));

    (void)state;
    is_held = true;
    start();
    progress_until(pe, participants[0].gathered == 1 && participants[1].gathered == 1, RUN_MS);
    assert_int_equal(0, kill(process, SIGKILL));
    progress_until(pe, state_of(lost->ctx) == DOCA_CTX_STATE_IDLE, RUN_MS);
    is_held = false;
    assert_both_become(DOCA_CTX_STATE_IDLE);
    assert_requests_freed();
    assert_int_equal(DOCA_CTX_STATE_RUNNING, state_of(participants[0].worker.ctx));
}

static void a_stopped_start_keeps_its_exchange_until_that_is_complete(void **state)
{
    struct participant *participant = &participants[0];

    (void)state;
    assert_status(DOCA_ERROR_IN_PROGRESS, doca_ctx_start(participant->ctx));
    progress_until(pe, participant->gathered == 1, RUN_MS);
    assert_success(doca_ctx_stop(participant->ctx));
    assert_int_equal(0, participant->freed);
    assert_status(DOCA_ERROR_IN_USE, doca_ctx_start(participant->ctx));

    participant->send = NULL;
    progress_until(pe, participant->freed == 1, RUN_MS);
    start();
    assert_both_become(DOCA_CTX_STATE_RUNNING);
}

static void all_domains_of_a_worker_that_is_lost_fail(void **state)
{
    struct participant *other = &participants[1];
    struct test_worker *lost = &participants[0].worker;
    pid_t process = process_of(lost, plugin_id(&service, "worker_puppet"));
    uint64_t id = 2;

    (void)state;
    assert_success(doca_urom_domain_set_workers(other->domain, &id, &lost->worker, 1));
    is_held = true;
    start();
    progress_until(pe, participants[0].gathered == 1 && other->gathered == 1, RUN_MS);
    assert_int_equal(0, kill(process, SIGKILL));
    progress_until(pe, state_of(lost->ctx) == DOCA_CTX_STATE_IDLE, RUN_MS);
    worker_close(lost);
    is_held = false;
    assert_both_become(DOCA_CTX_STATE_IDLE);
    assert_requests_freed();
    for (unsigned i = 0; i < PARTICIPANTS; ++i)
        assert_status(DOCA_ERROR_INVALID_VALUE, doca_ctx_start(participants[i].ctx));
}

static doca_error_t gather_alone(
        void *send, void *receive, size_t length, void *info, void **request)
{
    memcpy(receive, send, length);
    *request = info;
    return DOCA_SUCCESS;
}

static doca_error_t complete(void *request)
{
    (void)request;
    return DOCA_SUCCESS;
}

/* Starts a domain of one participant with the first worker, and returns its new state. */
static enum doca_ctx_states start_alone(struct doca_urom_domain **domain)
{
    struct doca_urom_domain_oob_coll alone = { gather_alone, complete, complete, &participants[0],
        1, 0 };
    uint64_t id = 1;
    struct doca_ctx *ctx;

    assert_success(doca_urom_domain_create(domain));
    ctx = doca_urom_domain_as_ctx(*domain);
    assert_success(doca_pe_connect_ctx(pe, ctx));
    assert_success(doca_urom_domain_set_oob(*domain, &alone));
    assert_success(doca_urom_domain_set_workers(*domain, &id, &participants[0].worker.worker, 1));
    assert_status(DOCA_ERROR_IN_PROGRESS, doca_ctx_start(ctx));
    progress_until(pe, state_of(ctx) != DOCA_CTX_STATE_STARTING, RUN_MS);
    return state_of(ctx);
}

static void a_start_reports_that_a_worker_has_too_many_domains(void **state)
{
    struct doca_urom_domain *domains[DOMAINS_MAX + 1];

    (void)state;
    for (unsigned i = 0; i < DOMAINS_MAX; ++i)
        assert_int_equal(DOCA_CTX_STATE_RUNNING, start_alone(&domains[i]));
    log_keep();
    assert_int_equal(DOCA_CTX_STATE_IDLE, start_alone(&domains[DOMAINS_MAX]));
    assert_logged_once("The worker with the domain worker id 1 rejected the domain");
    for (unsigned i = 0; i < DOMAINS_MAX; ++i)
        assert_success(doca_ctx_stop(doca_urom_domain_as_ctx(domains[i])));
    for (unsigned i = 0; i <= DOMAINS_MAX; ++i)
        assert_success(doca_urom_domain_destroy(domains[i]));
}

static void a_domain_that_is_destroyed_frees_its_request(void **state)
{
    (void)state;
    is_held = true;
    start();
    progress_until(pe, participants[0].gathered == 1, RUN_MS);
    destroy_domain(&participants[0]);
    assert_int_equal(1, participants[0].freed);
}

static doca_error_t destruction;

static doca_error_t gather_and_destroy(
        void *send, void *receive, size_t length, void *info, void **request)
{
    destruction = doca_urom_domain_destroy(participants[0].domain);
    return gather(send, receive, length, info, request);
}

static void a_domain_is_not_destroyed_by_its_callbacks(void **state)
{
    struct doca_urom_domain_oob_coll exchange = exchange_of(0);

    (void)state;
    exchange.allgather = gather_and_destroy;
    assert_success(doca_urom_domain_set_oob(participants[0].domain, &exchange));
    start();
    assert_both_become(DOCA_CTX_STATE_RUNNING);
    assert_int_equal(DOCA_ERROR_NOT_PERMITTED, destruction);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
                a_domain_runs_and_starts_again_after_a_stop, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_start_waits_for_all_participants, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_domain_with_buffers_runs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
                all_settings_of_a_domain_that_is_not_idle_are_rejected, set_up, tear_down),
        cmocka_unit_test_setup_teardown(invalid_settings_are_rejected, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
                a_start_reports_that_a_worker_has_too_many_domains, set_up, tear_down),
        cmocka_unit_test_setup_teardown(invalid_buffers_are_rejected, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
                a_domain_that_lacks_settings_does_not_start, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
                the_workers_of_a_domain_run_on_its_engine, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_failed_all_gather_fails_the_start, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
                participants_with_the_same_worker_id_do_not_start, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
                participants_with_different_numbers_of_buffers_do_not_start, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_changed_block_fails_the_start, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
                a_worker_that_is_lost_fails_the_start_of_all_participants, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
                a_stopped_start_keeps_its_exchange_until_that_is_complete, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
                all_domains_of_a_worker_that_is_lost_fail, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
                a_domain_that_is_destroyed_frees_its_request, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
                a_domain_is_not_destroyed_by_its_callbacks, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, daemon_set_up, daemon_tear_down);
}
