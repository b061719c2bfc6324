/* SPDX-License-Identifier: Apache-2.0 */
/* Failures of sessions. */
#ifndef JUROM_CHANNEL_TLS_FAILURE_H_
#define JUROM_CHANNEL_TLS_FAILURE_H_

#include "tls_session.h"

/* Returns the name of the peer for messages, such as "the service". */
const char *tls_peer(enum tls_kind kind);

/* Ends the session with this reason, unless it has already ended. */
__attribute__((format(printf, 3, 4))) void tls_session_end(
        struct tls_session *session, doca_error_t status, const char *format, ...);

/* Ends the session after a failed call, given its `error` from SSL_get_error. */
void tls_failure(struct tls_session *session, int error);

#endif /* JUROM_CHANNEL_TLS_FAILURE_H_ */
