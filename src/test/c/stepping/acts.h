/* SPDX-License-Identifier: Apache-2.0 */
/* What a process is at when it is killed: the steps of a publication, of a consumption, of a sleep. */
#ifndef JUROM_STEPPING_ACTS_H_
#define JUROM_STEPPING_ACTS_H_

#include <channel/peer.h>

struct act {
    const char *name;
    /* The victim, before: what it prepares, and the act itself. Optional; required. */
    void (*prepare)(struct peer *victim);
    void (*act)(struct peer *victim);
    /* The survivor, after the victim has prepared itself. Optional. */
    void (*meanwhile)(struct peer *survivor);
    bool asleep;     /* the survivor waits for its descriptor, else it polls all the time */
    unsigned before; /* messages that the victim has sent before */
    unsigned during; /* and that it sends in the act */
};

extern const struct act acts[];
extern const unsigned acts_count;

#endif /* JUROM_STEPPING_ACTS_H_ */
