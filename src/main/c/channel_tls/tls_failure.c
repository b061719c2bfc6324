/* SPDX-License-Identifier: Apache-2.0 */
#include "tls_failure.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <openssl/err.h>
#include <openssl/ssl.h>

const char *tls_peer(enum tls_kind kind)
{
    static const char *const names[] = {
        [TLS_HOST_OF_SERVICE] = "the service",
        [TLS_HOST_OF_WORKER] = "the worker",
        [TLS_WORKER] = "the host",
    };

    return names[kind];
}

void tls_session_end(struct tls_session *session, doca_error_t status, const char *format, ...)
{
    va_list arguments;

    if (session->status != DOCA_SUCCESS)
        return;
    session->status = status;
    va_start(arguments, format);
    vsnprintf(session->reason, sizeof(session->reason), format, arguments);
    va_end(arguments);
}

/* In TLS 1.3, the alert can arrive after a client's handshake, in any read. */
static bool is_about_our_certificate(int alert)
{
    switch (alert) {
    case SSL_AD_BAD_CERTIFICATE:
    case SSL_AD_UNSUPPORTED_CERTIFICATE:
    case SSL_AD_CERTIFICATE_REVOKED:
    case SSL_AD_CERTIFICATE_EXPIRED:
    case SSL_AD_CERTIFICATE_UNKNOWN:
    case SSL_AD_UNKNOWN_CA:
    case SSL_AD_ACCESS_DENIED:
    case SSL_AD_CERTIFICATE_REQUIRED:
        return true;
    default:
        return false;
    }
}

/* Without a key for the ticket, a worker continues without it, and fails: it has no certificate. */
static bool is_about_our_ticket(int alert)
{
    switch (alert) {
    case SSL_AD_HANDSHAKE_FAILURE:
    case SSL_AD_ILLEGAL_PARAMETER:
    case SSL_AD_DECRYPT_ERROR:
    case SSL_AD_MISSING_EXTENSION:
    case SSL_AD_ACCESS_DENIED:
    case SSL_AD_UNKNOWN_PSK_IDENTITY:
        return true;
    default:
        return false;
    }
}

static void end_for_alert(struct tls_session *session, int alert)
{
    const char *peer = tls_peer(session->kind);

    if (session->kind == TLS_HOST_OF_SERVICE && is_about_our_certificate(alert))
        tls_session_end(session, DOCA_ERROR_AUTHENTICATION,
                "the service does not accept this host's certificate: have its operator add it to "
                "--authorized-hosts");
    else if (session->kind == TLS_HOST_OF_WORKER && !session->open && is_about_our_ticket(alert))
        tls_session_end(session, DOCA_ERROR_AUTHENTICATION,
                "the worker rejected the ticket: it was already used, has expired, or is for "
                "another worker; start the worker context again");
    else if (alert == SSL_AD_PROTOCOL_VERSION)
        tls_session_end(session, DOCA_ERROR_UNSUPPORTED_VERSION,
                "%s does not support TLS 1.3, which is required", peer);
    else
        tls_session_end(session, DOCA_ERROR_CONNECTION_ABORTED,
                "%s ended the connection with the TLS alert '%s'", peer,
                SSL_alert_desc_string_long(alert));
}

static void end_for_reason(struct tls_session *session, unsigned long error)
{
    const char *peer = tls_peer(session->kind);
    const char *text = ERR_reason_error_string(error);

    switch (ERR_GET_REASON(error)) {
    case SSL_R_UNSUPPORTED_PROTOCOL:
    case SSL_R_VERSION_TOO_LOW:
    case SSL_R_WRONG_SSL_VERSION:
        tls_session_end(session, DOCA_ERROR_UNSUPPORTED_VERSION,
                "%s does not support TLS 1.3, which is required", peer);
        break;
    case SSL_R_BINDER_DOES_NOT_VERIFY:
        tls_session_end(session, DOCA_ERROR_AUTHENTICATION,
                "%s does not have the key of the ticket that it presented", peer);
        break;
    case SSL_R_NO_SUITABLE_SIGNATURE_ALGORITHM:
    case SSL_R_NO_SHARED_CIPHER:
        tls_session_end(session, DOCA_ERROR_AUTHENTICATION,
                "%s presented no ticket and no supported certificate", peer);
        break;
    default:
        tls_session_end(session, DOCA_ERROR_CONNECTION_ABORTED, "%s violated TLS 1.3: %s", peer,
                text == NULL ? "unknown error" : text);
    }
}

void tls_failure(struct tls_session *session, int error)
{
    unsigned long first = ERR_peek_error();
    int reason = ERR_GET_REASON(first);
    const char *peer = tls_peer(session->kind);
    const char *when = session->open ? "" : " before it was authenticated";

    if (error == SSL_ERROR_ZERO_RETURN)
        tls_session_end(session, DOCA_ERROR_CONNECTION_RESET, "%s has closed the connection", peer);
    else if (session->end.error != 0)
        tls_session_end(session, DOCA_ERROR_CONNECTION_RESET, "%s disconnected%s: %s", peer, when,
                strerror(session->end.error));
    else if (session->end.ended)
        tls_session_end(session, DOCA_ERROR_CONNECTION_RESET, "%s disconnected%s", peer, when);
    else if (ERR_GET_LIB(first) == ERR_LIB_SSL && reason > SSL_AD_REASON_OFFSET)
        end_for_alert(session, reason - SSL_AD_REASON_OFFSET);
    else if (ERR_GET_REASON(first) == ERR_R_MALLOC_FAILURE)
        tls_session_end(session, DOCA_ERROR_NO_MEMORY, "there is no memory for a TLS connection");
    else
        end_for_reason(session, first);
}
