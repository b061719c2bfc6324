/* SPDX-License-Identifier: Apache-2.0 */
/* The two ends of a connection in one process: sessions of the library, or of OpenSSL itself. */
#ifndef JUROM_TEST_PARTY_H_
#define JUROM_TEST_PARTY_H_

#include <stdbool.h>

#include <openssl/ssl.h>

#include <channel/tls.h>

#define ID_SIZE 16
#define KEY_SIZE 32
#define DEADLINE_MS 30000 /* long enough for a loaded machine */

struct party {
    int fd;
    struct tls_session *session; /* of the library, or */
    SSL *raw;                    /* of OpenSSL */
    doca_error_t status;         /* of the handshake; AGAIN: in progress */
    char reason[TLS_REASON_MAX];
};

/* An authenticator with one ticket. */
struct authenticator {
    uint8_t id[ID_SIZE], key[KEY_SIZE];
    bool open;      /* false: the ticket was used */
    unsigned asked; /* number of lookups */
};

extern const uint8_t ticket_id[ID_SIZE];
extern const uint8_t ticket_key[KEY_SIZE]; /* both contain zero bytes */

const uint8_t *authenticator_find(void *authenticator, const uint8_t *id);

/* Create two connected, non-blocking sockets without sessions. */
void parties_open(struct party *one, struct party *other);       /* TCP over loopback */
void parties_open_small(struct party *one, struct party *other); /* Unix, with small buffers */

/* Attaches OpenSSL to a party, as server or client. Takes ownership of the context. */
void party_be_raw(struct party *party, SSL_CTX *context, bool server);
void party_connect_known(struct party *party, const struct tls_identity *identity);
void party_connect_ticket(struct party *party);
void party_accept_ticket(struct party *party, struct authenticator *authenticator);

/* Ends the session and closes the socket. Idempotent. */
void party_close(struct party *party);

/* Continues both handshakes until they complete or fail, or the deadline passes. */
void parties_handshake(struct party *one, struct party *other);

/* Opens both with a ticket, and completes the handshake. */
void parties_open_with_ticket(
        struct party *host, struct party *worker, struct authenticator *authenticator);

/* Reads or writes all bytes, within the deadline. */
void party_read(struct party *party, void *data, size_t length);
void party_write(struct party *party, const void *data, size_t length);

/* Reads until the status is not AGAIN, within the deadline. */
doca_error_t party_read_end(struct party *party);

/* Returns true until DEADLINE_MS after `*since` was set to 0. */
bool before_deadline(long long *deadline);

#define assert_ends_with_reason(expected_status, expected_text, party) \
    do { \
        assert_int_equal(expected_status, (party)->status); \
        if (strstr((party)->reason, expected_text) == NULL) \
            fail_msg("'%s' does not contain '%s'", (party)->reason, expected_text); \
    } while (0)

#endif /* JUROM_TEST_PARTY_H_ */
