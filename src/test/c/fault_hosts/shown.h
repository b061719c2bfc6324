/* SPDX-License-Identifier: Apache-2.0 */
/* The ticket that this process has shown a worker last, as whoever reads along would have it. */
#ifndef JUROM_FAULT_SHOWN_H_
#define JUROM_FAULT_SHOWN_H_

#include <stdbool.h>

enum shown_again {
    SHOWN_TO_NOBODY, /* there was no ticket, or nobody listens any more */
    SHOWN_AND_REFUSED,
    SHOWN_AND_LET_IN,
};

/* Shows it once more, over a connection of its own. */
enum shown_again shown_again(void);

/* Says over the connection of that ticket that nothing more comes; whether it was ended in time. */
bool shown_cut(void);

#endif /* JUROM_FAULT_SHOWN_H_ */
