/* SPDX-License-Identifier: Apache-2.0 */
/* A listener and both ends of a channel, for tests in one thread. */
#ifndef JUROM_TEST_CHANNEL_FIXTURE_H_
#define JUROM_TEST_CHANNEL_FIXTURE_H_

#include "peer.h"

static struct fixture {
    struct meeting meeting;
    struct peer host;
    struct peer worker;
} fixture;

static inline int tear_down(void **state)
{
    (void)state;
    peer_close(&fixture.host);
    peer_close(&fixture.worker);
    meeting_close(&fixture.meeting);
    return 0;
}

#endif /* JUROM_TEST_CHANNEL_FIXTURE_H_ */
