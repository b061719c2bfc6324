/* SPDX-License-Identifier: Apache-2.0 */
/* The ids of cancelled commands in the memory of the rings, which other transports do not have. */
#include "channel_private.h"

void channel_mark_cancelled(struct channel *channel, uint64_t request_id)
{
    if (channel->ring.memory.base != NULL && !has_ended(channel))
        atomic_store_explicit(ring_cancelled_slot(&channel->ring.memory, request_id), request_id,
                memory_order_release);
}

bool channel_is_cancelled(const struct channel *channel, uint64_t request_id)
{
    return channel->ring.memory.base != NULL && request_id != 0
            && atomic_load_explicit(
                       ring_cancelled_slot(&channel->ring.memory, request_id), memory_order_relaxed)
            == request_id;
}
