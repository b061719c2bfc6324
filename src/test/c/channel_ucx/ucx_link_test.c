/* SPDX-License-Identifier: Apache-2.0 */
/* Links, connected to each other and to a peer that violates the protocol. */
#include <string.h>
#include <time.h>

#include <ucp/api/ucp.h>

#include <channel/ucx.h>
#include <testing/assertions.h>
#include <wire/bytes.h>

#define DEADLINE_MS 20000
#define HEAD 8
#define CLOSE_MAX_NS 5000000
#define CLOSE_MAX_MS 500

static const struct ucx_library *const library = &jurom_channel_ucx;

/* A peer that uses UCX directly. */
struct stranger {
    ucp_context_h context;
    ucp_worker_h worker;
    ucp_address_t *address;
    size_t address_length;
    ucp_ep_h endpoint;
};

static struct ucx_link *link;
static struct ucx_link *other;
static struct stranger stranger;

static struct ucx_link *open_link(void)
{
    char reason[UCX_REASON_MAX] = "";
    struct ucx_link *opened = NULL;

    if (library->open("", "lo", &opened, reason) != DOCA_SUCCESS)
        fail_msg("%s", reason);
    return opened;
}

static void connect_to(struct ucx_link *from, const void *address, size_t length)
{
    char reason[UCX_REASON_MAX] = "";

    if (library->connect(from, address, length, reason) != DOCA_SUCCESS)
        fail_msg("%s", reason);
}

static int set_up_two(void **state)
{
    size_t length;
    const void *address;

    (void)state;
    link = open_link();
    other = open_link();
    address = library->address(other, &length);
    connect_to(link, address, length);
    address = library->address(link, &length);
    connect_to(other, address, length);
    await((library->progress(link), library->progress(other),
                  library->is_up(link) && library->is_up(other)),
            DEADLINE_MS);
    return 0;
}

static ucs_status_t drop(void *argument, const void *header, size_t header_length, void *data,
        size_t length, const ucp_am_recv_param_t *param)
{
    (void)argument;
    (void)header;
    (void)header_length;
    (void)data;
    (void)length;
    (void)param;
    return UCS_OK;
}

static void open_stranger(void)
{
    static const ucp_am_handler_param_t handler = {
        .field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_CB,
        .id = 1,
        .cb = drop,
    };
    static const ucp_params_t context_params = {
        .field_mask = UCP_PARAM_FIELD_FEATURES,
        .features = UCP_FEATURE_AM,
    };
    static const ucp_worker_params_t worker_params = { 0 };
    ucp_config_t *config;

    assert_int_equal(UCS_OK, ucp_config_read(NULL, NULL, &config));
    assert_int_equal(UCS_OK, ucp_config_modify(config, "TLS", "tcp"));
    assert_int_equal(UCS_OK, ucp_config_modify(config, "NET_DEVICES", "lo"));
    assert_int_equal(UCS_OK, ucp_init(&context_params, config, &stranger.context));
    ucp_config_release(config);
    assert_int_equal(UCS_OK, ucp_worker_create(stranger.context, &worker_params, &stranger.worker));
    assert_int_equal(UCS_OK, ucp_worker_set_am_recv_handler(stranger.worker, &handler));
    assert_int_equal(UCS_OK,
            ucp_worker_get_address(stranger.worker, &stranger.address, &stranger.address_length));
}

static int set_up_stranger(void **state)
{
    ucp_ep_params_t params = {
        .field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS | UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE,
        .err_mode = UCP_ERR_HANDLING_MODE_PEER,
    };
    size_t length;

    (void)state;
    link = open_link();
    open_stranger();
    params.address = library->address(link, &length);
    assert_int_equal(UCS_OK, ucp_ep_create(stranger.worker, &params, &stranger.endpoint));
    connect_to(link, stranger.address, stranger.address_length);
    return 0;
}

static int tear_down(void **state)
{
    static const ucp_request_param_t force = {
        .op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS,
        .flags = UCP_EP_CLOSE_FLAG_FORCE,
    };

    (void)state;
    if (stranger.worker != NULL) {
        ucs_status_ptr_t request = ucp_ep_close_nbx(stranger.endpoint, &force);

        while (UCS_PTR_IS_PTR(request) && ucp_request_check_status(request) == UCS_INPROGRESS)
            ucp_worker_progress(stranger.worker);
        if (UCS_PTR_IS_PTR(request))
            ucp_request_free(request);
        ucp_worker_release_address(stranger.worker, stranger.address);
        ucp_worker_destroy(stranger.worker);
        ucp_cleanup(stranger.context);
    }
    if (link != NULL)
        library->close(link, false);
    if (other != NULL)
        library->close(other, false);
    link = other = NULL;
    stranger = (struct stranger){ 0 };
    return 0;
}

/* Sends `length` bytes that start with this position. */
static void *send_strange(uint8_t *bytes, size_t length, uint64_t taken, unsigned flags)
{
    ucp_request_param_t param = {
        .op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS,
        .flags = flags,
    };
    uint8_t head[HEAD];

    store_u64(head, taken);
    memcpy(bytes, head, length < HEAD ? length : HEAD);
    return ucp_am_send_nbx(stranger.endpoint, 1, NULL, 0, bytes, length, &param);
}

static void assert_breaks(size_t length, uint64_t taken, unsigned flags)
{
    static uint8_t bytes[HEAD + UCX_PIECE_MAX + 1];
    void *request = send_strange(bytes, length, taken, flags);

    await((ucp_worker_progress(stranger.worker), library->progress(link),
                  library->failure(link) != NULL),
            DEADLINE_MS);
    assert_non_null(strstr(library->failure(link), "an invalid message"));
    assert_null(library->peek(link, &length));
    assert_int_equal(0, library->put(link, bytes, 100));
    if (UCS_PTR_IS_PTR(request))
        ucp_request_free(request);
}

static void a_message_without_its_head_breaks_the_link(void **state)
{
    (void)state;
    assert_breaks(HEAD - 1, 0, UCP_AM_SEND_FLAG_EAGER);
}

static void a_position_past_what_was_sent_breaks_the_link(void **state)
{
    (void)state;
    assert_breaks(HEAD + 10, 1, UCP_AM_SEND_FLAG_EAGER);
}

static void a_piece_that_is_too_long_breaks_the_link(void **state)
{
    (void)state;
    assert_breaks(HEAD + UCX_PIECE_MAX + 1, 0, UCP_AM_SEND_FLAG_EAGER);
}

static void one_that_would_have_its_receiver_read_memory_breaks_the_link(void **state)
{
    (void)state;
    assert_breaks(HEAD + 60000, 0, UCP_AM_SEND_FLAG_RNDV);
}

/* The receiver takes no pieces, so at most a window is buffered. */
static void more_than_the_window_breaks_the_link(void **state)
{
    static uint8_t bytes[HEAD + UCX_PIECE_MAX];
    unsigned sent = 0;

    (void)state;
    while (library->failure(link) == NULL) {
        void *request = send_strange(bytes, sizeof(bytes), 0, UCP_AM_SEND_FLAG_EAGER);

        assert_true(++sent <= 2 * UCX_WINDOW / UCX_PIECE_MAX);
        await((ucp_worker_progress(stranger.worker), library->progress(link),
                      !UCS_PTR_IS_PTR(request)
                              || ucp_request_check_status(request) != UCS_INPROGRESS),
                DEADLINE_MS);
        if (UCS_PTR_IS_PTR(request))
            ucp_request_free(request);
        for (unsigned i = 0; i < 1000; ++i)
            library->progress(link);
    }
    assert_non_null(strstr(library->failure(link), "an invalid message"));
    assert_true(library->arrived(link) <= UCX_WINDOW);
}

static void a_sender_waits_for_a_receiver_that_takes_nothing(void **state)
{
    static uint8_t bytes[UCX_PIECE_MAX];
    size_t put = 0;
    size_t length;

    (void)state;
    for (unsigned i = 0; i < 100; ++i) {
        put += library->put(link, bytes, sizeof(bytes));
        library->progress(link);
        library->progress(other);
    }
    assert_true(put <= UCX_WINDOW);
    await((library->progress(link), library->progress(other),
                  library->arrived(other) == library->sent(link)),
            DEADLINE_MS);
    assert_int_equal(0, library->put(link, bytes, sizeof(bytes)));

    while (library->peek(other, &length) != NULL)
        library->take(other);
    await((library->progress(other), library->progress(link),
                  library->put(link, bytes, 1000) == 1000),
            DEADLINE_MS);
}

/* The peer does not read, and has not closed. */
static void closing_takes_no_longer_than_it_may(void **state)
{
    static uint8_t bytes[UCX_PIECE_MAX];
    uint64_t begin;

    (void)state;
    for (unsigned i = 0; i < 100; ++i)
        library->put(link, bytes, sizeof(bytes));
    begin = deadline_in(CLOSE_MAX_MS);
    library->close(link, true);
    link = NULL;
    library->finish();
    assert_int_equal(0, library->closing());
    assert_false(deadline_has_passed(begin));
}

static uint64_t own_time_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* The peer does not read, like a stopped process. Measures the CPU time of the thread. */
static void closing_does_not_wait_for_the_peer(void **state)
{
    static uint8_t bytes[UCX_PIECE_MAX];
    uint64_t begin, taken;

    (void)state;
    for (unsigned i = 0; i < 100; ++i)
        library->put(link, bytes, sizeof(bytes));
    begin = own_time_ns();
    library->close(link, true);
    taken = own_time_ns() - begin;
    link = NULL;
    if (taken > CLOSE_MAX_NS)
        fail_msg("the close took %lu us", (unsigned long)taken / 1000);
    await(library->closing() == 0, DEADLINE_MS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define two(name) cmocka_unit_test_setup_teardown(name, set_up_two, tear_down)
#define strange(name) cmocka_unit_test_setup_teardown(name, set_up_stranger, tear_down)
        two(a_sender_waits_for_a_receiver_that_takes_nothing),
        two(closing_takes_no_longer_than_it_may),
        two(closing_does_not_wait_for_the_peer),
        strange(a_message_without_its_head_breaks_the_link),
        strange(a_position_past_what_was_sent_breaks_the_link),
        strange(a_piece_that_is_too_long_breaks_the_link),
        strange(one_that_would_have_its_receiver_read_memory_breaks_the_link),
        strange(more_than_the_window_breaks_the_link),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
