/* SPDX-License-Identifier: Apache-2.0 */
/* Services that are missing, not authentic, or do not trust this host. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <jurom.h>
#include <testing/contexts.h>
#include <testing/daemon.h>
#include <testing/logged.h>
#include <testing/process.h>
#include <wire/wire.h>

#include "keyed_daemon.h"

#define REFUSAL_MS 2000

static struct test_service service;
static char directory[PATH_MAX], key_file[PATH_MAX], service_file[PATH_MAX];

static int set_up(void **state)
{
    (void)state;
    make_directory(directory);
    path_in(key_file, directory, "key");
    path_in(service_file, directory, "service_file");
    daemon_use(&the_daemon);
    service_new(&service);
    log_keep();
    return 0;
}

/* The service still serves trusted hosts. */
static int tear_down(void **state)
{
    (void)state;
    daemon_use(&the_daemon);
    assert_success(doca_urom_service_set_max_comm_msg_size(service.service, 4096));
    assert_success(doca_ctx_start(service.ctx));
    service_close(&service);
    remove_directory(directory);
    return 0;
}

static void assert_refused(doca_error_t status, const char *why)
{
    uint64_t deadline = deadline_in(REFUSAL_MS);

    assert_status(status, doca_ctx_start(service.ctx));
    assert_false(deadline_has_passed(deadline));
    assert_int_equal(DOCA_CTX_STATE_IDLE, state_of(service.ctx));
    assert_int_equal(0, service.transitions.count);
    assert_logged(why);
}

static void use_key(const char *path)
{
    keyed_daemon_use_port(the_daemon.port);
    assert_int_equal(0, setenv("DOCA_UROM_KEY_FILE", path, 1));
}

static void a_host_and_a_service_that_know_each_other_talk(void **state)
{
    (void)state;
    use_key(key_path(KEY_HOST));
    assert_success(doca_ctx_start(service.ctx));
    assert_success(doca_ctx_stop(service.ctx));
}

static void a_host_unknown_to_the_service_is_rejected(void **state)
{
    (void)state;
    use_key(key_path(KEY_STRANGER));
    assert_refused(DOCA_ERROR_AUTHENTICATION, "authorized-hosts");
}

static void a_service_that_the_host_does_not_know_is_not_talked_to(void **state)
{
    (void)state;
    use_key(key_path(KEY_MISTAKEN));
    assert_refused(DOCA_ERROR_AUTHENTICATION, "could not be reached");
}

static void a_service_on_the_network_needs_a_key(void **state)
{
    (void)state;
    keyed_daemon_use_port(the_daemon.port);
    assert_int_equal(0, unsetenv("DOCA_UROM_KEY_FILE"));
    assert_refused(DOCA_ERROR_AUTHENTICATION, "DOCA_UROM_KEY_FILE");
}

static void a_key_file_that_is_not_there_is_named(void **state)
{
    (void)state;
    use_key(key_file);
    assert_refused(DOCA_ERROR_BAD_CONFIG, key_file);
}

static void a_key_file_that_others_may_read_is_not_used(void **state)
{
    char *key = read_text(key_path(KEY_HOST));

    (void)state;
    write_text(key_file, key);
    free(key);
    assert_int_equal(0, chmod(key_file, 0640));
    use_key(key_file);
    assert_refused(DOCA_ERROR_NOT_PERMITTED, key_file);
}

static void a_key_file_without_a_key_is_not_used(void **state)
{
    (void)state;
    write_text(key_file, "no key\n");
    use_key(key_file);
    assert_refused(DOCA_ERROR_BAD_CONFIG, key_file);
    assert_non_null(strstr(jurom_urom_service_get_refusal(service.service), key_file));
}

static void a_different_maximum_message_size_is_rejected_with_both_values(void **state)
{
    (void)state;
    assert_success(doca_urom_service_set_max_comm_msg_size(service.service, 8192));
    assert_refused(DOCA_ERROR_INVALID_VALUE, "8192");
    assert_logged("4096");
}

/* Creates a socket that listens at the address in the service file. */
static int listen_instead(void)
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    char line[PATH_MAX + 64];

    assert_true(strlen(directory) + sizeof("/socket") <= sizeof(address.sun_path));
    sprintf(address.sun_path, "%s/socket", directory);
    assert_int_equal(0, bind(fd, (struct sockaddr *)&address, sizeof(address)));
    assert_int_equal(0, listen(fd, 8));
    snprintf(line, sizeof(line), "localhost dpu unix:%s 0000:00:00.0 all\n", address.sun_path);
    write_text(service_file, line);
    assert_int_equal(0, setenv("DOCA_UROM_SERVICE_FILE", service_file, 1));
    return fd;
}

static void a_daemon_that_does_not_run_cannot_be_reached(void **state)
{
    (void)state;
    close(listen_instead()); /* the port is closed now */
    assert_refused(DOCA_ERROR_CONNECTION_ABORTED, "could not be reached");
}

/* A fake service, and its answer to each connection. */
struct impostor {
    int listener;
    pthread_t thread;
    uint8_t answer[512];
    size_t length;
};

/* Accepts connections until the socket is shut down. */
static void *answer_all(void *argument)
{
    const struct impostor *impostor = argument;
    int fd;

    while ((fd = accept(impostor->listener, NULL, NULL)) >= 0) {
        (void)!write(fd, impostor->answer, impostor->length);
        shutdown(fd, SHUT_WR);
        close(fd);
    }
    return NULL;
}

static void assert_refused_by(struct impostor *impostor, doca_error_t status, const char *why)
{
    impostor->listener = listen_instead();
    assert_int_equal(0, pthread_create(&impostor->thread, NULL, answer_all, impostor));
    assert_refused(status, why);
    shutdown(impostor->listener, SHUT_RDWR);
    assert_int_equal(0, pthread_join(impostor->thread, NULL));
    close(impostor->listener);
}

static void a_peer_that_is_no_service_is_given_up(void **state)
{
    static const char nonsense[] = "HTTP/1.1 400 Bad Request\r\n\r\n";
    struct impostor impostor = { .length = sizeof(nonsense) - 1 };

    (void)state;
    memcpy(impostor.answer, nonsense, impostor.length);
    assert_refused_by(&impostor, DOCA_ERROR_UNEXPECTED, "could not be reached");
}

static void the_text_of_a_service_forges_no_line_and_steers_no_terminal(void **state)
{
    static const char hostile[] = "no\n[2030-01-01 00:00:00:000000][1][DOCA][INF] fine\033[2J";
    static const char harmless[] =
            "no\\u000a[2030-01-01 00:00:00:000000][1][DOCA][INF] fine\\u001b[2J";
    struct impostor impostor = { 0 };

    (void)state;
    assert_success(wire_encode(&(struct wire_frame){ .type = WIRE_ERROR,
                                       .error = { DOCA_ERROR_NOT_PERMITTED,
                                               { (const uint8_t *)hostile, strlen(hostile) } } },
            impostor.answer, sizeof(impostor.answer), &impostor.length));
    assert_refused_by(&impostor, DOCA_ERROR_NOT_PERMITTED, harmless);
    assert_false(log_has("\n[2030"));
    assert_string_equal(harmless, jurom_urom_service_get_refusal(service.service));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(a_host_and_a_service_that_know_each_other_talk),
        TEST(a_host_unknown_to_the_service_is_rejected),
        TEST(a_service_that_the_host_does_not_know_is_not_talked_to),
        TEST(a_service_on_the_network_needs_a_key),
        TEST(a_key_file_that_is_not_there_is_named),
        TEST(a_key_file_that_others_may_read_is_not_used),
        TEST(a_key_file_without_a_key_is_not_used),
        TEST(a_different_maximum_message_size_is_rejected_with_both_values),
        TEST(a_daemon_that_does_not_run_cannot_be_reached),
        TEST(a_peer_that_is_no_service_is_given_up),
        TEST(the_text_of_a_service_forges_no_line_and_steers_no_terminal),
    };

    return cmocka_run_group_tests(tests, keyed_daemon_set_up, keyed_daemon_tear_down);
}
