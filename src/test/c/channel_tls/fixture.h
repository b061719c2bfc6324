/* SPDX-License-Identifier: Apache-2.0 */
/* A host and a worker that share a ticket, both in the test's thread. */
#ifndef JUROM_TEST_TLS_FIXTURE_H_
#define JUROM_TEST_TLS_FIXTURE_H_

#include "party.h"

static const struct tls_library *const tls = &jurom_channel_tls;
static struct party host, worker;
static struct authenticator authenticator;

/* Connects both by sockets, without a handshake. */
static inline int set_up(void **state)
{
    (void)state;
    parties_open(&host, &worker);
    return 0;
}

/* Connects both, and completes the handshake. */
static inline int set_up_open(void **state)
{
    set_up(state);
    parties_open_with_ticket(&host, &worker, &authenticator);
    return 0;
}

static inline int tear_down(void **state)
{
    (void)state;
    party_close(&host);
    party_close(&worker);
    return 0;
}

#endif /* JUROM_TEST_TLS_FIXTURE_H_ */
