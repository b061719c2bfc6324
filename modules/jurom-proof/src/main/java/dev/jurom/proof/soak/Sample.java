// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.soak;

import dev.jurom.proof.process.ProcessFigures;

/**
 * What there is at a moment.
 *
 * @param service the daemon's process
 * @param host the process of the host that nobody disturbs
 * @param worker the process of that host's worker
 * @param serviceHeap bytes of objects that are in use in the daemon, when last counted
 * @param hostHeap the same in the host
 * @param workers worker processes of the service
 * @param files in the service's own directory
 * @param shared entries of /dev/shm
 */
record Sample(
        ProcessFigures service,
        ProcessFigures host,
        ProcessFigures worker,
        long serviceHeap,
        long hostHeap,
        long workers,
        long files,
        long shared) {}
