/* SPDX-License-Identifier: Apache-2.0 */
/* Replays the last ticket that this process presented to a worker, as an eavesdropper would. */
#ifndef JUROM_FAULT_TICKET_REPLAY_H_
#define JUROM_FAULT_TICKET_REPLAY_H_

#include <stdbool.h>

enum ticket_replay {
    TICKET_NOT_SENT, /* no ticket was recorded, or the worker no longer listens */
    TICKET_REJECTED,
    TICKET_ACCEPTED,
};

/* Presents the ticket again over a new connection. */
enum ticket_replay ticket_replay(void);

/*
 * Shuts down the sending side of the connection on which the ticket was sent. Returns whether the
 * worker closed the connection in time.
 */
bool ticket_close_connection(void);

#endif /* JUROM_FAULT_TICKET_REPLAY_H_ */
