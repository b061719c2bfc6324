/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The identity of a host, and the services that it trusts. As with ssh, only keys count:
 * certificates are compared byte by byte, and their names, dates and issuers are ignored.
 *
 * The PEM file contains the host's private key (the first one; EC or RSA; PKCS#8, SEC1 or PKCS#1;
 * not encrypted), the first certificate of this key, and the certificates of services. An identity
 * must outlive its sessions.
 */
#ifndef JUROM_CHANNEL_TLS_IDENTITY_H_
#define JUROM_CHANNEL_TLS_IDENTITY_H_

#include <channel/tls.h>

/*
 * Creates an identity from `length` bytes of PEM text, which it does not wipe. On an error, writes
 * a sentence to `reason`.
 */
doca_error_t tls_identity_read(const char *pem, size_t length, struct tls_identity **identity,
        char reason[TLS_REASON_MAX]);

/* Frees the identity. NULL has no effect. */
void tls_identity_free(struct tls_identity *identity);

/*
 * Creates a session from a host to a service over `fd`, which the caller keeps. Thread-safe. An
 * identity can have any number of sessions.
 */
doca_error_t tls_identity_connect(
        int fd, const struct tls_identity *identity, struct tls_session **session);

#endif /* JUROM_CHANNEL_TLS_IDENTITY_H_ */
