// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

/**
 * A goal for a single subject.
 *
 * @param name the description
 * @param subject the subject
 * @param quantity the quantity
 * @param goal the goal
 */
record Limit(String name, Subject subject, Quantity quantity, Goal goal) {}
