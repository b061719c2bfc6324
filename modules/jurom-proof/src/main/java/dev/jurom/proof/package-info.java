// SPDX-License-Identifier: Apache-2.0
/**
 * Reliability tests that are never shipped. Each command checks a guarantee with real processes and prints
 * the result. {@code docs/reliability.md} records the output.
 */
package dev.jurom.proof;
