/* SPDX-License-Identifier: Apache-2.0 */
/* The two ends of a connection in one process, each of which is a session of ours or OpenSSL's. */
#ifndef JUROM_TEST_PARTY_H_
#define JUROM_TEST_PARTY_H_

#include <stdbool.h>

#include <openssl/ssl.h>

#include <channel/tls.h>

#define ID_SIZE 16
#define KEY_SIZE 32
#define DEADLINE_MS 30000 /* a loaded machine takes some of it */

struct party {
    int fd;
    struct tls_session *session; /* ours, or */
    SSL *raw;                    /* OpenSSL's */
    doca_error_t status;         /* of the handshake: AGAIN until it is done */
    char reason[TLS_REASON_MAX];
};

/* A ticket in the hands of a authenticator, whose find is doorman_find. */
struct authenticator {
    uint8_t id[ID_SIZE], key[KEY_SIZE];
    bool open;      /* false: it was used */
    unsigned asked; /* times */
};

extern const uint8_t ticket_id[ID_SIZE];
extern const uint8_t ticket_key[KEY_SIZE]; /* both with zero bytes in them */

const uint8_t *doorman_find(void *authenticator, const uint8_t *id);

/* Two connected, non-blocking sockets, with nobody at them yet. */
void parties_open(struct party *one, struct party *other);       /* TCP over loopback */
void parties_open_small(struct party *one, struct party *other); /* Unix, with small buffers */

/* Puts OpenSSL at one, as server or client. It takes the context. */
void party_be_raw(struct party *party, SSL_CTX *context, bool server);
void party_connect_known(struct party *party, const struct tls_identity *identity);
void party_connect_ticket(struct party *party);
void party_accept_ticket(struct party *party, struct authenticator *authenticator);

/* Ends the session and closes the socket; harmless for one that is closed. */
void party_close(struct party *party);

/* Moves both handshakes until each is done or over, or the deadline passes. */
void parties_shake_hands(struct party *one, struct party *other);

/* Both are with a ticket, and have shaken hands. */
void parties_open_with_ticket(
        struct party *host, struct party *worker, struct authenticator *authenticator);

/* Reads or writes all of it, within the deadline. */
void party_read(struct party *party, void *data, size_t length);
void party_write(struct party *party, const void *data, size_t length);

/* Reads until something else than AGAIN comes, within the deadline. */
doca_error_t party_read_end(struct party *party);

/* True until DEADLINE_MS after it was set to 0. */
bool before_deadline(long long *deadline);

#define assert_ends_with_why(expected_status, expected_text, party) \
    do { \
        assert_int_equal(expected_status, (party)->status); \
        if (strstr((party)->reason, expected_text) == NULL) \
            fail_msg("'%s' does not say '%s'", (party)->reason, expected_text); \
    } while (0)

#endif /* JUROM_TEST_PARTY_H_ */
