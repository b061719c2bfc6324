/* SPDX-License-Identifier: Apache-2.0 */
/* Files in /dev/shm by which processes of UCX's posix transport share memory. */
#ifndef JUROM_PLUGIN_SEGMENTS_H_
#define JUROM_PLUGIN_SEGMENTS_H_

/* Removes the files of this user that processes have left that were killed. */
void segments_sweep(void);

#endif /* JUROM_PLUGIN_SEGMENTS_H_ */
