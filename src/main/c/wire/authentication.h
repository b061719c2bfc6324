/* SPDX-License-Identifier: Apache-2.0 */
/* The challenge-response that opens a service connection, and its key file (OpenSSL). */
#ifndef JUROM_AUTHENTICATION_H_
#define JUROM_AUTHENTICATION_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_error.h>

#include "wire.h"

#define AUTHENTICATION_KEY_MAX 4096 /* bytes of a key file */

struct authentication_key {
    uint8_t bytes[AUTHENTICATION_KEY_MAX];
    size_t length; /* 0: no key */
};

/*
 * Reads the key file at `path` (NULL: no key). NOT_FOUND: no such file. NOT_PERMITTED: not a
 * regular file of this user, or others may read it. BAD_CONFIG: empty, or longer than
 * AUTHENTICATION_KEY_MAX. `*why` is then a sentence for the log, static.
 */
doca_error_t authentication_read_key(const char *path, struct authentication_key *key,
        const char **why);

/* Fills `nonce` from the system's random source. */
doca_error_t authentication_nonce(uint8_t nonce[WIRE_NONCE_SIZE]);

/* The host's proof; `hello_tail` are bytes 32..39 of the body of its HELLO. */
doca_error_t authentication_host_mac(const struct authentication_key *key,
        const uint8_t *client_nonce, const uint8_t *server_nonce, const uint8_t hello_tail[8],
        uint8_t mac[WIRE_MAC_SIZE]);

/* The service's proof. */
doca_error_t authentication_service_mac(const struct authentication_key *key,
        const uint8_t *client_nonce, const uint8_t *server_nonce, uint8_t mac[WIRE_MAC_SIZE]);

/* Compares two secrets of `length` bytes in constant time. */
bool authentication_equal(const uint8_t *left, const uint8_t *right, size_t length);

/* Overwrites the key; it is not optimised away. */
void authentication_forget(struct authentication_key *key);

#endif /* JUROM_AUTHENTICATION_H_ */
