/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Frames from hosts. The state of a connection determines the frames that its host may send; any
 * other frame ends that connection only. Payloads are copied directly into the command's block.
 */
#ifndef JUROM_RECEIVE_H_
#define JUROM_RECEIVE_H_

#include <channel/channel.h>

/* The callbacks of a struct connection's channel. */
extern const struct channel_receiver receive_callbacks;

#endif /* JUROM_RECEIVE_H_ */
