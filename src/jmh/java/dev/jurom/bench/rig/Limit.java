// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

/**
 * A goal for a subject by itself.
 *
 * @param name what is limited, in words
 * @param subject whose
 * @param quantity what of it
 * @param goal what it should be
 */
record Limit(String name, Subject subject, Quantity quantity, Goal goal) {}
