// SPDX-License-Identifier: Apache-2.0
/**
 * Fault points: their names, the schedules in which people write what shall happen at them, and the
 * table in shared memory where the processes of a run find that and write what has happened.
 */
package dev.jurom.proof.faults;
