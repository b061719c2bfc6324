/* SPDX-License-Identifier: Apache-2.0 */
/* Why a session is over, in a sentence. */
#ifndef JUROM_CHANNEL_TLS_TLS_FAILURE_H_
#define JUROM_CHANNEL_TLS_TLS_FAILURE_H_

#include "tls_session.h"

/* Who is at the other end, as a sentence begins: "the service". */
const char *tls_peer(enum tls_kind kind);

/* The session is over, for this reason, unless it has one already. */
__attribute__((format(printf, 3, 4))) void tls_session_end(
        struct tls_session *session, doca_error_t status, const char *format, ...);

/* Ends the session for what SSL_get_error said, this thread's queue of errors and the socket. */
void tls_failure(struct tls_session *session, int error);

#endif /* JUROM_CHANNEL_TLS_TLS_FAILURE_H_ */
