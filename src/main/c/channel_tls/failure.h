/* SPDX-License-Identifier: Apache-2.0 */
/* From what OpenSSL says to why a session is over, in a sentence. */
#ifndef JUROM_CHANNEL_TLS_FAILURE_H_
#define JUROM_CHANNEL_TLS_FAILURE_H_

#include "session.h"

/* Who is at the other end, as a sentence begins: "the service". */
const char *tls_peer(enum tls_kind kind);

/* Ends the session for what SSL_get_error said, this thread's queue of errors and the socket. */
void tls_failure(struct tls_session *session, int error);

#endif /* JUROM_CHANNEL_TLS_FAILURE_H_ */
