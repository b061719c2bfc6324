/* SPDX-License-Identifier: Apache-2.0 */
/* Shared memory files of UCX's posix transport in /dev/shm. */
#ifndef JUROM_UCX_SEGMENTS_H_
#define JUROM_UCX_SEGMENTS_H_

/* Removes files of this user that killed processes have left behind. */
void segments_sweep(void);

#endif /* JUROM_UCX_SEGMENTS_H_ */
