/* SPDX-License-Identifier: Apache-2.0 */
/* Keys and proofs, see authentication.h. The twin of this file in Java is the daemon's. */
#include "authentication.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#define PROOF_MAX 128 /* bytes that a proof covers: label, two nonces, the hello's tail */

static doca_error_t refuse(const char **why, const char *reason, doca_error_t error)
{
    *why = reason;
    return error;
}

static doca_error_t refuse_open(const char **why)
{
    switch (errno) {
    case ENOENT:
    case ENOTDIR:
        return refuse(why, "there is no such key file", DOCA_ERROR_NOT_FOUND);
    case EACCES:
        return refuse(why, "this user may not read the key file", DOCA_ERROR_NOT_PERMITTED);
    default:
        return refuse(why, "the key file cannot be opened", DOCA_ERROR_IO_FAILED);
    }
}

/* A secret that others can read or replace is none. */
static doca_error_t check_owner(int file, const char **why)
{
    struct stat status;

    if (fstat(file, &status) != 0)
        return refuse(why, "the key file cannot be examined", DOCA_ERROR_IO_FAILED);
    if (!S_ISREG(status.st_mode))
        return refuse(why, "the key file is not a regular file", DOCA_ERROR_NOT_PERMITTED);
    if (status.st_uid != geteuid())
        return refuse(why, "the key file belongs to another user", DOCA_ERROR_NOT_PERMITTED);
    if ((status.st_mode & (S_IRWXG | S_IRWXO)) != 0)
        return refuse(why, "others may access the key file: use chmod 600",
                DOCA_ERROR_NOT_PERMITTED);
    return DOCA_SUCCESS;
}

/* Reads up to `capacity` bytes; -1 on failure. */
static ssize_t read_fully(int file, uint8_t *data, size_t capacity)
{
    size_t length = 0;
    ssize_t count;

    while (length < capacity) {
        count = read(file, data + length, capacity - length);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return -1;
        if (count == 0)
            break;
        length += (size_t)count;
    }
    return (ssize_t)length;
}

static doca_error_t read_key(int file, struct authentication_key *key, const char **why)
{
    uint8_t surplus;
    ssize_t length = read_fully(file, key->bytes, sizeof(key->bytes));

    if (length < 0)
        return refuse(why, "the key file cannot be read", DOCA_ERROR_IO_FAILED);
    if (length == 0)
        return refuse(why, "the key file is empty", DOCA_ERROR_BAD_CONFIG);
    if (read_fully(file, &surplus, 1) != 0)
        return refuse(why, "the key file is longer than 4096 bytes", DOCA_ERROR_BAD_CONFIG);
    key->length = (size_t)length;
    return DOCA_SUCCESS;
}

doca_error_t authentication_read_key(const char *path, struct authentication_key *key,
        const char **why)
{
    doca_error_t result;
    int file;

    *why = "";
    key->length = 0;
    if (path == NULL)
        return DOCA_SUCCESS;

    file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file < 0)
        return refuse_open(why);
    result = check_owner(file, why);
    if (result == DOCA_SUCCESS)
        result = read_key(file, key, why);
    if (result != DOCA_SUCCESS)
        authentication_forget(key);
    close(file);
    return result;
}

doca_error_t authentication_nonce(uint8_t nonce[WIRE_NONCE_SIZE])
{
    ssize_t count;

    do {
        count = getrandom(nonce, WIRE_NONCE_SIZE, 0);
    } while (count < 0 && errno == EINTR);
    return count == WIRE_NONCE_SIZE ? DOCA_SUCCESS : DOCA_ERROR_OPERATING_SYSTEM;
}

static size_t append(uint8_t *message, size_t length, const void *data, size_t count)
{
    memcpy(message + length, data, count);
    return length + count;
}

static doca_error_t prove(const struct authentication_key *key, const uint8_t *message,
        size_t length, uint8_t *mac)
{
    unsigned int mac_length = 0;

    if (HMAC(EVP_sha256(), key->bytes, (int)key->length, message, length, mac, &mac_length) ==
                NULL ||
        mac_length != WIRE_MAC_SIZE)
        return DOCA_ERROR_DRIVER;
    return DOCA_SUCCESS;
}

doca_error_t authentication_host_mac(const struct authentication_key *key,
        const uint8_t *client_nonce, const uint8_t *server_nonce, const uint8_t hello_tail[8],
        uint8_t mac[WIRE_MAC_SIZE])
{
    uint8_t message[PROOF_MAX];
    size_t length;

    length = append(message, 0, "jurom host", strlen("jurom host"));
    length = append(message, length, client_nonce, WIRE_NONCE_SIZE);
    length = append(message, length, server_nonce, WIRE_NONCE_SIZE);
    length = append(message, length, hello_tail, 8);
    return prove(key, message, length, mac);
}

doca_error_t authentication_service_mac(const struct authentication_key *key,
        const uint8_t *client_nonce, const uint8_t *server_nonce, uint8_t mac[WIRE_MAC_SIZE])
{
    uint8_t message[PROOF_MAX];
    size_t length;

    length = append(message, 0, "jurom service", strlen("jurom service"));
    length = append(message, length, client_nonce, WIRE_NONCE_SIZE);
    length = append(message, length, server_nonce, WIRE_NONCE_SIZE);
    return prove(key, message, length, mac);
}

bool authentication_equal(const uint8_t *left, const uint8_t *right, size_t length)
{
    return CRYPTO_memcmp(left, right, length) == 0;
}

void authentication_forget(struct authentication_key *key)
{
    OPENSSL_cleanse(key, sizeof(*key));
}
