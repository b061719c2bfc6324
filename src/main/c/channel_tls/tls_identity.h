/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who a host is to services, and which services it knows: as with ssh, by nothing but the key. A
 * certificate is compared with those in the file byte by byte; its names, dates and issuer mean
 * nothing.
 *
 * The file, in PEM: the first private key, EC or RSA (PKCS#8, SEC1 or PKCS#1, not encrypted), is
 * our own, and so is the first certificate of this key. Every other certificate is that of a
 * service. An identity outlives its sessions.
 */
#ifndef JUROM_CHANNEL_TLS_TLS_IDENTITY_H_
#define JUROM_CHANNEL_TLS_TLS_IDENTITY_H_

#include <channel/tls.h>

doca_error_t tls_identity_read(const char *pem, size_t length, struct tls_identity **identity,
        char reason[TLS_REASON_MAX]);
void tls_identity_free(struct tls_identity *identity);

/* Any number of sessions at a time, in any threads. */
doca_error_t tls_identity_connect(
        int fd, const struct tls_identity *identity, struct tls_session **session);

#endif /* JUROM_CHANNEL_TLS_TLS_IDENTITY_H_ */
