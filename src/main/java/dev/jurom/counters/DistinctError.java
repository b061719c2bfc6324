// SPDX-License-Identifier: Apache-2.0
package dev.jurom.counters;

import java.time.Instant;

/**
 * An error that happened, once or often.
 *
 * @param text what happened, as a sentence, of printable characters
 * @param count how often, as unsigned
 * @param first when it was counted for the first time
 * @param last when it was counted last
 */
public record DistinctError(String text, long count, Instant first, Instant last) {}
