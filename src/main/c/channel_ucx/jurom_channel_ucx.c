/* SPDX-License-Identifier: Apache-2.0 */
/* The library's only exported symbol: the table of its functions. */
#include <channel/ucx.h>

#include "channel_ucx_private.h"
#include "ucx_log.h"

__attribute__((visibility("default"))) const struct ucx_library jurom_channel_ucx = {
    .log_to = ucx_log_to,
    .open = ucx_link_open,
    .address = ucx_link_address,
    .connect = ucx_link_connect,
    .is_up = ucx_link_is_up,
    .progress = ucx_link_progress,
    .put = ucx_link_put,
    .peek = ucx_link_peek,
    .take = ucx_link_take,
    .sent = ucx_link_sent,
    .arrived = ucx_link_arrived,
    .descriptor = ucx_link_descriptor,
    .arm = ucx_link_arm,
    .failure = ucx_link_failure,
    .close = ucx_link_close,
    .closing = ucx_links_closing,
    .finish = ucx_links_finish,
};
