// SPDX-License-Identifier: Apache-2.0
/**
 * Seeded runs: real processes execute commands while faults drawn from a seed are injected, and the results
 * are checked.
 */
package dev.jurom.proof.runs;
