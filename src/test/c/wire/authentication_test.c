/* SPDX-License-Identifier: Apache-2.0 */
/* Key files and proofs. The expected proofs were computed apart from this code, with openssl(1). */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "wire/authentication.h"

struct key_file {
    char folder[64];
    char path[128];
};

static int create_folder(void **state)
{
    struct key_file *file = calloc(1, sizeof(*file));

    if (file == NULL)
        return -1;
    snprintf(file->folder, sizeof(file->folder), "authentication_test.XXXXXX");
    if (mkdtemp(file->folder) == NULL)
        return -1;
    snprintf(file->path, sizeof(file->path), "%s/key", file->folder);
    *state = file;
    return 0;
}

static int remove_folder(void **state)
{
    struct key_file *file = *state;

    remove(file->path);
    rmdir(file->folder);
    free(file);
    return 0;
}

static void write_key(const struct key_file *file, const void *bytes, size_t length, mode_t mode)
{
    FILE *stream = fopen(file->path, "w");

    assert_non_null(stream);
    assert_int_equal(fwrite(bytes, 1, length, stream), length);
    assert_int_equal(fclose(stream), 0);
    assert_int_equal(chmod(file->path, mode), 0);
}

static void a_private_key_file_is_read_to_the_byte(void **state)
{
    struct key_file *file = *state;
    struct authentication_key key;
    const char *why;

    write_key(file, "a\0b\n", 4, 0600);
    assert_int_equal(authentication_read_key(file->path, &key, &why), DOCA_SUCCESS);
    assert_int_equal(key.length, 4);
    assert_memory_equal(key.bytes, "a\0b\n", 4);
}

static void no_path_means_no_key(void **state)
{
    struct authentication_key key;
    const char *why;

    (void)state;
    assert_int_equal(authentication_read_key(NULL, &key, &why), DOCA_SUCCESS);
    assert_int_equal(key.length, 0);
}

static void a_key_file_that_others_may_access_is_refused(void **state)
{
    const mode_t modes[] = {0640, 0604, 0620, 0602, 0601};
    struct key_file *file = *state;
    struct authentication_key key;
    const char *why;
    size_t i;

    for (i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
        write_key(file, "secret", 6, modes[i]);
        assert_int_equal(authentication_read_key(file->path, &key, &why),
                DOCA_ERROR_NOT_PERMITTED);
        assert_non_null(strstr(why, "chmod 600"));
        assert_int_equal(key.length, 0);
    }
}

static void something_else_than_a_file_is_refused(void **state)
{
    struct key_file *file = *state;
    struct authentication_key key;
    const char *why;

    assert_int_equal(mkfifo(file->path, 0600), 0);
    assert_int_equal(authentication_read_key(file->path, &key, &why), DOCA_ERROR_NOT_PERMITTED);
    assert_int_equal(authentication_read_key(file->folder, &key, &why), DOCA_ERROR_NOT_PERMITTED);
}

static void a_missing_key_file_is_not_found(void **state)
{
    struct key_file *file = *state;
    struct authentication_key key;
    const char *why;

    assert_int_equal(authentication_read_key(file->path, &key, &why), DOCA_ERROR_NOT_FOUND);
    assert_true(strlen(why) > 0);
}

static void an_empty_or_endless_key_file_is_refused(void **state)
{
    static const uint8_t bytes[AUTHENTICATION_KEY_MAX + 1] = {1};
    struct key_file *file = *state;
    struct authentication_key key;
    const char *why;

    write_key(file, "", 0, 0600);
    assert_int_equal(authentication_read_key(file->path, &key, &why), DOCA_ERROR_BAD_CONFIG);
    write_key(file, bytes, sizeof(bytes), 0600);
    assert_int_equal(authentication_read_key(file->path, &key, &why), DOCA_ERROR_BAD_CONFIG);
    write_key(file, bytes, sizeof(bytes) - 1, 0600);
    assert_int_equal(authentication_read_key(file->path, &key, &why), DOCA_SUCCESS);
    assert_int_equal(key.length, AUTHENTICATION_KEY_MAX);
}

static void assert_hex(const uint8_t *mac, const char *expected)
{
    char hex[2 * WIRE_MAC_SIZE + 1];
    size_t i;

    for (i = 0; i < WIRE_MAC_SIZE; i++)
        snprintf(hex + 2 * i, 3, "%02x", mac[i]);
    assert_string_equal(hex, expected);
}

static void proofs_are_those_of_the_protocol(void **state)
{
    struct authentication_key key = {"secret", 6};
    struct authentication_key none = {.length = 0};
    uint8_t client[WIRE_NONCE_SIZE], server[WIRE_NONCE_SIZE], mac[WIRE_MAC_SIZE];
    const uint8_t tail[8] = {0x00, 0x10, 0, 0, 0xE8, 0x03, 0, 0};

    (void)state;
    memset(client, 'c', sizeof(client));
    memset(server, 's', sizeof(server));
    assert_int_equal(authentication_host_mac(&key, client, server, tail, mac), DOCA_SUCCESS);
    assert_hex(mac, "9052d36429ea9df520d00751522a01002d4c325676cf242f70fe57bf8c9471cc");
    assert_int_equal(authentication_service_mac(&key, client, server, mac), DOCA_SUCCESS);
    assert_hex(mac, "cc614ab4c0d4daf9aa53acb21ca5a85d36a86cd08a80a8f6b59c11903df9ecce");
    assert_int_equal(authentication_service_mac(&none, client, server, mac), DOCA_SUCCESS);
    assert_hex(mac, "949ce34d9d30c16436d1b369701426b15320bb69cda1969c1fa9409bde2ae0a8");
}

static void nonces_differ(void **state)
{
    uint8_t first[WIRE_NONCE_SIZE] = {0}, second[WIRE_NONCE_SIZE] = {0};

    (void)state;
    assert_int_equal(authentication_nonce(first), DOCA_SUCCESS);
    assert_int_equal(authentication_nonce(second), DOCA_SUCCESS);
    assert_memory_not_equal(first, second, sizeof(first));
}

static void secrets_are_compared_to_their_last_byte(void **state)
{
    (void)state;
    assert_true(authentication_equal((const uint8_t *)"abc", (const uint8_t *)"abc", 3));
    assert_false(authentication_equal((const uint8_t *)"abc", (const uint8_t *)"abd", 3));
    assert_false(authentication_equal((const uint8_t *)"abc", (const uint8_t *)"xbc", 3));
}

static void a_forgotten_key_leaves_nothing(void **state)
{
    const struct authentication_key zeros = {.length = 0};
    struct authentication_key key = {"secret", 6};

    (void)state;
    authentication_forget(&key);
    assert_memory_equal(&key, &zeros, sizeof(key));
}

#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, create_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FOLDER(a_private_key_file_is_read_to_the_byte),
        cmocka_unit_test(no_path_means_no_key),
        WITH_FOLDER(a_key_file_that_others_may_access_is_refused),
        WITH_FOLDER(something_else_than_a_file_is_refused),
        WITH_FOLDER(a_missing_key_file_is_not_found),
        WITH_FOLDER(an_empty_or_endless_key_file_is_refused),
        cmocka_unit_test(proofs_are_those_of_the_protocol),
        cmocka_unit_test(nonces_differ),
        cmocka_unit_test(secrets_are_compared_to_their_last_byte),
        cmocka_unit_test(a_forgotten_key_leaves_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
