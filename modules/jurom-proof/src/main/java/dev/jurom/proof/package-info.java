// SPDX-License-Identifier: Apache-2.0
/**
 * What proves jurom, and is never shipped: each command tries something that must hold, with real
 * processes, and prints what it saw. {@code docs/reliability.md} keeps what they printed.
 */
package dev.jurom.proof;
