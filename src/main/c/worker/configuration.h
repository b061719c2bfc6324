/* SPDX-License-Identifier: Apache-2.0 */
/* The settings of the CONFIGURE frame, and limits derived from them. Constant while serving. */
#ifndef JUROM_CONFIGURATION_H_
#define JUROM_CONFIGURATION_H_

#include <stddef.h>
#include <stdint.h>

#include <doca_error.h>

#include "reason.h"

struct configuration {
    uint64_t worker_id;
    uint32_t max_message_size;
    size_t waiting_max;   /* bytes queued for a host above which it is no longer read from */
    unsigned poll_frames; /* commands received between two checks of `waiting_max` */
};

/* Reads the CONFIGURE frame from `input`, and applies its CPU set to this process. */
doca_error_t configuration_read(
        struct configuration *configuration, int input, char reason[REASON_MAX]);

#endif /* JUROM_CONFIGURATION_H_ */
