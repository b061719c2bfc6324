/* SPDX-License-Identifier: Apache-2.0 */
/* Operations during which a process is killed: publishing, consuming, going to sleep. */
#ifndef JUROM_STEPPING_ACTS_H_
#define JUROM_STEPPING_ACTS_H_

#include <channel/peer.h>

struct act {
    const char *name;
    /* Run by the victim: its preparation (optional), and the act. */
    void (*prepare)(struct peer *victim);
    void (*act)(struct peer *victim);
    /* Run by the survivor after the preparation. Optional. */
    void (*meanwhile)(struct peer *survivor);
    bool asleep;     /* whether the survivor waits for its descriptor instead of polling */
    unsigned before; /* number of messages that the victim sends before the act */
    unsigned during; /* number of messages that it sends in the act */
};

extern const struct act acts[];
extern const unsigned acts_count;

#endif /* JUROM_STEPPING_ACTS_H_ */
