// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.soak;

import dev.jurom.proof.process.ProcessFigures;

/**
 * The measurements at one time.
 *
 * @param service resources of the daemon process
 * @param host resources of the watched host process
 * @param worker resources of the worker process of the watched host
 * @param serviceHeap heap usage of the daemon in bytes at the latest measurement
 * @param hostHeap heap usage of the host in bytes at the latest measurement
 * @param workers the number of worker processes
 * @param files the number of files in the directory of the service
 * @param shared the number of entries of /dev/shm
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
