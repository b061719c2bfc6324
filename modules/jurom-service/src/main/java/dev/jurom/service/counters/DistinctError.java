// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.counters;

import java.time.Instant;

/**
 * An error that occurred once or more.
 *
 * @param text a sentence of printable characters
 * @param count the number of occurrences, unsigned
 * @param first the time of the first occurrence
 * @param last the time of the last occurrence
 */
public record DistinctError(String text, long count, Instant first, Instant last) {}
