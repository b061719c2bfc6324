/* SPDX-License-Identifier: Apache-2.0 */
/* The library's only exported symbol: the table of its functions. */
#include <channel/tls.h>

#include "tls_identity.h"
#include "tls_session.h"
#include "tls_ticket.h"

__attribute__((visibility("default"))) const struct tls_library jurom_channel_tls = {
    .read_identity = tls_identity_read,
    .free_identity = tls_identity_free,
    .connect_known = tls_identity_connect,
    .connect_ticket = tls_ticket_connect,
    .accept_ticket = tls_ticket_accept,
    .handshake = tls_session_handshake,
    .ticket_id = tls_ticket_id,
    .read = tls_session_read,
    .write = tls_session_write,
    .wants_write = tls_session_wants_write,
    .has_read = tls_session_has_read,
    .reason = tls_session_reason,
    .close = tls_session_close,
};
