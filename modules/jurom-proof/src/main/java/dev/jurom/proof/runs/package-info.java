// SPDX-License-Identifier: Apache-2.0
/** Seeded runs: real processes, commands and faults that are drawn from a seed, and what must hold. */
package dev.jurom.proof.runs;
