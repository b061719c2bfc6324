/* SPDX-License-Identifier: Apache-2.0 */
/* The service file: the choice of a line, and messages about invalid files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jurom.h>

#include <testing/contexts.h>
#include <testing/daemon.h>
#include <testing/logged.h>
#include <testing/process.h>

#include "keyed_daemon.h"

#define DEVICE "0000:00:00.0"

static struct test_service service;
static char directory[PATH_MAX], path[PATH_MAX];

static int set_up(void **state)
{
    (void)state;
    make_directory(directory);
    path_in(path, directory, "file");
    daemon_use(&the_daemon);
    assert_int_equal(0, setenv("DOCA_UROM_SERVICE_FILE", path, 1));
    service_new(&service);
    log_keep();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    service_close(&service);
    remove_directory(directory);
    return 0;
}

/* Writes the service file, replacing `%u` with the daemon's port. */
static void write_file(const char *format)
{
    char text[4096];

    snprintf(text, sizeof(text), format, the_daemon.port);
    write_text(path, text);
}

static void assert_refused(doca_error_t status, const char *why)
{
    assert_status(status, doca_ctx_start(service.ctx));
    assert_logged(why);
    assert_int_equal(DOCA_CTX_STATE_IDLE, state_of(service.ctx));
    log_keep();
}

static void without_a_service_file_no_service_is_found(void **state)
{
    (void)state;
    assert_refused(DOCA_ERROR_NOT_FOUND, path);
    setenv("DOCA_UROM_SERVICE_FILE", "", 1);
    assert_refused(DOCA_ERROR_NOT_FOUND, "DOCA_UROM_SERVICE_FILE is not set");
    unsetenv("DOCA_UROM_SERVICE_FILE");
    assert_refused(DOCA_ERROR_NOT_FOUND, "DOCA_UROM_SERVICE_FILE is not set");
}

static void a_line_that_cannot_be_read_is_named_with_its_number_and_the_reason(void **state)
{
    static const struct {
        const char *line;
        const char *why;
    } lines[] = {
        { "localhost", "five fields" },
        { "localhost dpu 127.0.0.1:0 " DEVICE " all", "port of dev_hostname" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); ++i) {
        char text[512];

        snprintf(text, sizeof(text), "# a comment\n\n%s\n", lines[i].line);
        write_text(path, text);
        assert_status(DOCA_ERROR_BAD_CONFIG, doca_ctx_start(service.ctx));
        assert_logged("Line 3 of the service file");
        assert_logged(path);
        assert_logged(lines[i].why);
        log_keep();
    }
}

static void a_line_or_field_that_is_too_long_cannot_be_read(void **state)
{
    char text[4096];

    (void)state;
    memset(text, 'x', sizeof(text));
    memcpy(text + 3000, "\n", 2);
    write_text(path, text);
    assert_refused(DOCA_ERROR_BAD_CONFIG, "Line 1 of the service file");
    strcpy(text + 300, " dpu 127.0.0.1 " DEVICE " all\n");
    write_text(path, text);
    assert_refused(DOCA_ERROR_BAD_CONFIG, "longer than 255 characters");
    memcpy(text, "localhost dpu ", 14);
    write_text(path, text);
    assert_refused(DOCA_ERROR_BAD_CONFIG, "Line 1 of the service file");
}

static void a_bad_line_behind_the_right_one_is_not_overlooked(void **state)
{
    (void)state;
    write_file("localhost dpu 127.0.0.1:%u " DEVICE " all\nlocalhost dpu\n");
    assert_refused(DOCA_ERROR_BAD_CONFIG, "Line 2 of the service file");
}

static void a_file_without_a_line_for_this_host_or_device_names_no_service(void **state)
{
    (void)state;
    write_file("");
    assert_refused(DOCA_ERROR_NOT_FOUND, "no line for this host and the device at " DEVICE);
    write_file("some-other-host dpu 127.0.0.1:%u " DEVICE " all\n");
    assert_refused(DOCA_ERROR_NOT_FOUND, "no line for this host");
    write_file("203.0.113.7 dpu 127.0.0.1:%u " DEVICE " all\n");
    assert_refused(DOCA_ERROR_NOT_FOUND, "no line for this host");
    write_file("localhost dpu 127.0.0.1:%u 0000:03:00.0 all\n");
    assert_refused(DOCA_ERROR_NOT_FOUND, "no line for this host");
}

static void a_host_that_is_unknown_cannot_be_reached(void **state)
{
    (void)state;
    write_file("localhost dpu no..host:%u " DEVICE " all\n");
    assert_refused(DOCA_ERROR_CONNECTION_ABORTED, "no..host");
}

static void start_and_stop(const char *text)
{
    write_file(text);
    assert_success(doca_ctx_start(service.ctx));
    assert_success(doca_ctx_stop(service.ctx));
}

static void the_host_goes_by_any_of_its_names_and_addresses(void **state)
{
    char name[256], text[512];

    (void)state;
    start_and_stop("localhost dpu 127.0.0.1:%u " DEVICE " all\n");
    start_and_stop("LOCALHOST dpu 127.0.0.1:%u " DEVICE " all\n");
    start_and_stop("127.0.0.1 dpu 127.0.0.1:%u " DEVICE " all\n");
    assert_int_equal(0, gethostname(name, sizeof(name)));
    snprintf(text, sizeof(text), "%s dpu 127.0.0.1:%%u " DEVICE " all\n", name);
    start_and_stop(text);
    snprintf(text, sizeof(text), "%.*s dpu 127.0.0.1:%%u " DEVICE " all\n", (int)strcspn(name, "."),
            name);
    start_and_stop(text);
}

static void the_service_goes_by_name_or_address(void **state)
{
    (void)state;
    start_and_stop("localhost dpu localhost:%u " DEVICE " all\n");
    start_and_stop("localhost dpu [127.0.0.1]:%u " DEVICE " all\n");
}

static void a_service_of_this_machine_goes_by_its_socket(void **state)
{
    char text[PATH_MAX + 64];

    (void)state;
    snprintf(text, sizeof(text), "localhost dpu unix:%s " DEVICE " all\n", the_daemon.socket);
    start_and_stop(text);
    unlink(path);
    snprintf(text, sizeof(text), "localhost dpu unix:%s.not " DEVICE " all\n", the_daemon.socket);
    write_text(path, text);
    assert_refused(DOCA_ERROR_CONNECTION_ABORTED, "could not be reached");
}

static void the_device_goes_by_its_long_or_short_address(void **state)
{
    (void)state;
    start_and_stop("localhost dpu 127.0.0.1:%u 00:00.0 all\n");
}

static void a_file_that_the_program_names_takes_the_place_of_the_variable(void **state)
{
    (void)state;
    write_file("localhost dpu 127.0.0.1:%u " DEVICE " all\n");
    setenv("DOCA_UROM_SERVICE_FILE", "/nowhere", 1);
    assert_success(jurom_urom_service_set_service_file(service.service, path));
    assert_success(doca_ctx_start(service.ctx));
    assert_success(doca_ctx_stop(service.ctx));

    assert_success(jurom_urom_service_set_service_file(service.service, NULL));
    assert_refused(DOCA_ERROR_NOT_FOUND, "/nowhere");
}

static void an_address_that_the_program_sets_takes_the_place_of_any_file(void **state)
{
    char address[PATH_MAX + 16];

    (void)state;
    snprintf(address, sizeof(address), "unix:%s", the_daemon.socket);
    setenv("DOCA_UROM_SERVICE_FILE", "/nowhere", 1);
    assert_success(jurom_urom_service_set_service_file(service.service, "/elsewhere"));
    assert_success(jurom_urom_service_set_address(service.service, address));
    assert_success(doca_ctx_start(service.ctx));
    assert_int_equal(
            DOCA_ERROR_BAD_STATE, jurom_urom_service_set_address(service.service, address));
    assert_success(doca_ctx_stop(service.ctx));

    snprintf(address, sizeof(address), "127.0.0.1:%u", the_daemon.port);
    assert_success(jurom_urom_service_set_address(service.service, address));
    assert_success(doca_ctx_start(service.ctx));
    assert_success(doca_ctx_stop(service.ctx));

    assert_success(jurom_urom_service_set_service_file(service.service, "/elsewhere"));
    assert_refused(DOCA_ERROR_NOT_FOUND, "/elsewhere");
    assert_success(jurom_urom_service_set_address(service.service, NULL));
    assert_refused(DOCA_ERROR_NOT_FOUND, "/nowhere");
}

static void a_malformed_address_is_rejected_with_the_reason(void **state)
{
    static const struct {
        const char *address, *reason;
    } malformed[] = {
        { "", "is empty" },
        { "unix:socket", "does not begin with a slash" },
        { "[::1:7471", "has no closing bracket" },
        { "node1:0", "is not a number from 1 to 65535" },
        { "node1 dpu", "contains a blank" },
        { "node1#7471", "contains a blank, a control character or \"#\"" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof(malformed) / sizeof(malformed[0]); ++i) {
        assert_int_equal(DOCA_ERROR_INVALID_VALUE,
                jurom_urom_service_set_address(service.service, malformed[i].address));
        assert_logged(malformed[i].reason);
    }
}

static void comments_blanks_tabs_and_foreign_line_ends_are_passed_over(void **state)
{
    (void)state;
    start_and_stop("# app_hostname service_type dev_hostname dev_pci_addr net,devs\r\n"
                   "   \t \r\n"
                   "  # another\n"
                   "\tlocalhost\tdpu  127.0.0.1:%u\t" DEVICE "  all\r\n");
    start_and_stop("localhost dpu 127.0.0.1:%u " DEVICE " all"); /* without a newline */
}

static void the_first_of_several_lines_counts(void **state)
{
    (void)state;
    start_and_stop("localhost dpu 127.0.0.1:1 0000:99:00.0 all\n"
                   "another dpu 127.0.0.1:1 " DEVICE " all\n"
                   "localhost dpu 127.0.0.1:%u " DEVICE " all\n"
                   "localhost dpu 127.0.0.1:1 " DEVICE " all\n");
}

static void network_devices_that_this_machine_lacks_are_passed_over(void **state)
{
    (void)state;
    start_and_stop("localhost dpu 127.0.0.1:%u " DEVICE " lo,no_such_device\n");
    assert_false(log_has("network devices"));
    start_and_stop("localhost dpu 127.0.0.1:%u " DEVICE " no_such_device,../../class\n");
    assert_logged("none of the network devices no_such_device,../../class");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(without_a_service_file_no_service_is_found),
        TEST(a_line_that_cannot_be_read_is_named_with_its_number_and_the_reason),
        TEST(a_line_or_field_that_is_too_long_cannot_be_read),
        TEST(a_bad_line_behind_the_right_one_is_not_overlooked),
        TEST(a_file_without_a_line_for_this_host_or_device_names_no_service),
        TEST(a_host_that_is_unknown_cannot_be_reached),
        TEST(the_host_goes_by_any_of_its_names_and_addresses),
        TEST(the_service_goes_by_name_or_address),
        TEST(a_service_of_this_machine_goes_by_its_socket),
        TEST(the_device_goes_by_its_long_or_short_address),
        TEST(a_file_that_the_program_names_takes_the_place_of_the_variable),
        TEST(an_address_that_the_program_sets_takes_the_place_of_any_file),
        TEST(a_malformed_address_is_rejected_with_the_reason),
        TEST(comments_blanks_tabs_and_foreign_line_ends_are_passed_over),
        TEST(the_first_of_several_lines_counts),
        TEST(network_devices_that_this_machine_lacks_are_passed_over),
    };

    return cmocka_run_group_tests(tests, keyed_daemon_set_up, keyed_daemon_tear_down);
}
