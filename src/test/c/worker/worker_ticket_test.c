/* SPDX-License-Identifier: Apache-2.0 */
/* A valid ticket admits one host, once. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "host.h"

#define MESSAGE_SIZE 4096
#define SHORT_MS 50
#define SILENT 600      /* more than the permitted number of unauthenticated peers */
#define WAITING_MAX 512 /* number of them per kind of socket */
#define ARRIVAL_MS 5000
#define ARRIVALS 64  /* maximum number of unauthenticated connections to the Unix socket */
#define DISPLACING 4 /* further connections, each of which displaces one of them */

static struct worker_process worker, foreign;
static struct host host, other;
static struct channel_ticket ticket;
static struct channel_address address;
static int silent[SILENT];

static int set_up(void **state)
{
    (void)state;
    memset(silent, -1, sizeof(silent));
    worker_start(&worker, MESSAGE_SIZE);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    for (unsigned i = 0; i < SILENT; ++i) {
        if (silent[i] >= 0)
            close(silent[i]);
    }
    host_close(&host);
    host_close(&other);
    worker_clean_up(&worker);
    worker_clean_up(&foreign);
    return 0;
}

/* Connects with `ticket`, which must be rejected. Valid tickets before and after are accepted. */
static void assert_refused(void)
{
    uint64_t deadline = deadline_in(ANSWER_MS);

    host_connect(&host, &address, &ticket, MESSAGE_SIZE);
    while (!host_has_ended(&host)) {
        if (host_progress(&host) == 0)
            give_way();
        assert_int_not_equal(DOCA_SUCCESS, channel_status(host.channel));
        assert_false(deadline_has_passed(deadline));
    }
    host_close(&host);
    host_expect_nothing(&other);
    host_detach(&other);
    host_open(&other, &worker, MESSAGE_SIZE);
    host_attach(&other, 1);
}

/* Another host keeps the listener open, and shows that the worker still serves. */
static void open_other(void)
{
    host_open(&other, &worker, MESSAGE_SIZE);
    host_attach(&other, 1);
}

/* A second valid ticket keeps the listener open. */
static void give_another(void)
{
    static struct channel_ticket another;

    worker_give_ticket(&worker, SESSION, TICKET_MS, &another, &address);
}

static void a_ticket_lets_in_once(void **state)
{
    (void)state;
    open_other();
    worker_give_ticket(&worker, SESSION, TICKET_MS, &ticket, &address);
    host_connect(&host, &address, &ticket, MESSAGE_SIZE);
    host_await_open(&host);
    host_attach(&host, 1);
    host_detach(&host);
    give_another();

    assert_refused();
    worker_stop(&worker);
}

static void a_guessed_key_or_id_is_rejected(void **state)
{
    (void)state;
    open_other();
    worker_give_ticket(&worker, SESSION, TICKET_MS, &ticket, &address);

    ticket.key[WIRE_TICKET_KEY_SIZE - 1] ^= 1;
    assert_refused();
    ticket.key[WIRE_TICKET_KEY_SIZE - 1] ^= 1;
    ticket.id[0] ^= 1;
    assert_refused();

    /* The failed attempts have not consumed the ticket. */
    ticket.id[0] ^= 1;
    host_connect(&host, &address, &ticket, MESSAGE_SIZE);
    host_await_open(&host);
    worker_stop(&worker);
}

static void a_ticket_of_another_worker_is_rejected(void **state)
{
    (void)state;
    open_other();
    worker_start(&foreign, MESSAGE_SIZE);
    worker_give_ticket(&foreign, SESSION, TICKET_MS, &ticket, &address);
    give_another();

    assert_refused();
    worker_stop(&foreign);
    worker_stop(&worker);
}

static void a_ticket_ends_with_its_lifetime(void **state)
{
    uint64_t end;

    (void)state;
    open_other();
    worker_give_ticket(&worker, SESSION, SHORT_MS, &ticket, &address);
    give_another();
    worker_tell(&worker, &(struct wire_frame){ .type = WIRE_PING });
    worker_expect(&worker, WIRE_PONG);
    end = deadline_in(SHORT_MS); /* the worker has read the ticket */
    await(deadline_has_passed(end), ANSWER_MS);

    assert_refused();
    worker_stop(&worker);
}

static void a_ticket_ends_with_its_session_and_others_do_not(void **state)
{
    (void)state;
    open_other();
    worker_give_ticket(&worker, SESSION + 1, TICKET_MS, &ticket, &address);
    give_another();
    worker_tell(&worker, &(struct wire_frame){ .type = WIRE_HOST_GONE, .session = SESSION + 1 });

    assert_refused();
    worker_stop(&worker);
}

/* The worker has not read the ticket when the host connects. */
static void a_ticket_counts_from_when_it_was_written(void **state)
{
    uint8_t bytes[WIRE_TICKET_SIZE];
    const struct wire_frame frame = {
        .type = WIRE_TICKET,
        .ticket = { .ticket = bytes, .lifetime_ms = TICKET_MS },
    };

    (void)state;
    if (worker_is_over_tcp())
        skip(); /* the service waits for LISTENING */
    open_other();
    make_ticket(&ticket, bytes);
    worker_local_address(&worker, &address);
    host_puppet(&other, 1, (struct puppet_command){ .act = PUPPET_BUSY, .count = 200 }, NULL);
    host_connect(&host, &address, &ticket, MESSAGE_SIZE);
    worker_tell(&worker, &frame);

    host_await_open(&host);
    worker_stop(&worker);
}

static void a_ticket_for_one_way_in_does_not_open_the_other(void **state)
{
    struct channel_address elsewhere;
    uint8_t bytes[WIRE_TICKET_SIZE];

    (void)state;
    open_other();
    worker_give_ticket(&worker, SESSION, TICKET_MS, &ticket, &address);
    if (worker_is_over_tcp()) {
        worker_local_address(&worker, &elsewhere);
        address = elsewhere;
    } else {
        struct wire_frame frame = {
            .type = WIRE_TICKET,
            .ticket = { .ticket = bytes,
                    .lifetime_ms = TICKET_MS,
                    .flags = WIRE_FLAG_OVER_TCP,
                    .address = { (const uint8_t *)"127.0.0.1", 9 } },
        };
        struct channel_ticket for_tcp;

        make_ticket(&for_tcp, bytes);
        worker_tell(&worker, &frame);
        worker_expect(&worker, WIRE_LISTENING);
        worker_tcp_address(worker.answer.listening.port, &address);
    }

    assert_refused();
    worker_stop(&worker);
}

static int connect_silently(void)
{
    const struct sockaddr *to = (const struct sockaddr *)&address.socket;
    struct sockaddr_un local = { .sun_family = AF_UNIX };
    socklen_t length = address.socket_length;
    int fd;

    if (address.local) {
        memcpy(local.sun_path, address.path, sizeof(local.sun_path));
        to = (const struct sockaddr *)&local;
        length = sizeof(local);
    }
    fd = socket(to->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(fd >= 0);
    assert_int_equal(0, connect(fd, to, length));
    return fd;
}

static bool was_closed(int fd)
{
    char byte;

    return recv(fd, &byte, 1, MSG_DONTWAIT) == 0;
}

static unsigned count_closed(void)
{
    unsigned count = 0;

    for (unsigned i = 0; i < SILENT; ++i)
        count += was_closed(silent[i]);
    return count;
}

static void silent_peers_block_no_host_and_time_out(void **state)
{
    unsigned before;

    (void)state;
    open_other();
    host_detach(&other);
    before = worker_descriptors(&worker);
    give_another();
    for (unsigned i = 0; i < SILENT; ++i)
        silent[i] = connect_silently();

    open_other();
    host_expect_nothing(&other);
    await(count_closed() >= SILENT - WAITING_MAX, ANSWER_MS);

    await(count_closed() == SILENT, ARRIVAL_MS + ANSWER_MS);
    host_expect_nothing(&other);
    host_detach(&other);
    if (!worker_is_over_tcp()) /* whose listener is still open */
        await(worker_descriptors(&worker) <= before, ANSWER_MS);
    worker_stop(&worker);
}

static bool was_reset(int fd)
{
    char byte;

    return recv(fd, &byte, 1, MSG_DONTWAIT) < 0 && errno == ECONNRESET;
}

/* The worker receives the first connection with its bytes, and the second before its bytes. */
static void a_connection_that_begins_with_another_protocol_is_closed(void **state)
{
    static const char request[] = "GET / HTTP/1.0\r\n\r\n";
    unsigned before;

    (void)state;
    if (!worker_is_over_tcp())
        skip();
    open_other();
    give_another();
    before = worker_descriptors(&worker);
    assert_int_equal(0, kill(worker.pid, SIGSTOP));
    silent[0] = connect_silently();
    assert_int_equal(sizeof(request), send(silent[0], request, sizeof(request), MSG_NOSIGNAL));
    assert_int_equal(0, kill(worker.pid, SIGCONT));
    await(was_reset(silent[0]), ANSWER_MS);

    silent[1] = connect_silently();
    await(worker_descriptors(&worker) > before, ANSWER_MS);
    assert_int_equal(sizeof(request), send(silent[1], request, sizeof(request), MSG_NOSIGNAL));
    await(was_reset(silent[1]), ANSWER_MS);

    await(worker_descriptors(&worker) <= before, ANSWER_MS);
    host_expect_nothing(&other);
    worker_stop(&worker);
}

/* The worker receives new connections and data of displaced ones in one batch of events. */
static void connections_that_send_while_others_displace_them_do_no_harm(void **state)
{
    unsigned before;

    (void)state;
    open_other();
    before = worker_descriptors(&worker);
    worker_local_address(&worker, &address);
    for (unsigned i = 0; i < ARRIVALS; ++i)
        silent[i] = connect_silently();
    await(worker_descriptors(&worker) >= before + ARRIVALS && process_is_asleep(worker.pid),
            ANSWER_MS);

    assert_int_equal(0, kill(worker.pid, SIGSTOP));
    for (unsigned i = 0; i < DISPLACING; ++i)
        silent[ARRIVALS + i] = connect_silently();
    for (unsigned i = 0; i < ARRIVALS; ++i)
        assert_int_equal(1, send(silent[i], "", 1, MSG_NOSIGNAL));
    assert_int_equal(0, kill(worker.pid, SIGCONT));

    host_expect_nothing(&other);
    worker_stop(&worker);
}

static void an_accepted_host_that_does_not_attach_is_disconnected(void **state)
{
    (void)state;
    host_open(&host, &worker, MESSAGE_SIZE);

    host_await_end(&host, DOCA_ERROR_CONNECTION_RESET);
    worker_stop(&worker);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(a_ticket_lets_in_once),
        TEST(a_guessed_key_or_id_is_rejected),
        TEST(a_ticket_of_another_worker_is_rejected),
        TEST(a_ticket_ends_with_its_lifetime),
        TEST(a_ticket_ends_with_its_session_and_others_do_not),
        TEST(a_ticket_counts_from_when_it_was_written),
        TEST(a_ticket_for_one_way_in_does_not_open_the_other),
        TEST(silent_peers_block_no_host_and_time_out),
        TEST(a_connection_that_begins_with_another_protocol_is_closed),
        TEST(connections_that_send_while_others_displace_them_do_no_harm),
        TEST(an_accepted_host_that_does_not_attach_is_disconnected),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
