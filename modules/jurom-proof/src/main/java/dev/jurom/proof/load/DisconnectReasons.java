// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.load;

import java.util.Map;
import java.util.TreeMap;

/** The reasons reason connections were closed, with counts. This class is thread-safe. */
final class DisconnectReasons {

    private final Map<String, Integer> reasons = new TreeMap<>();

    /** Counts a closed connection. */
    synchronized void count(String reason) {
        reasons.merge(reason, 1, Integer::sum);
    }

    synchronized Map<String, Integer> reasons() {
        return new TreeMap<>(reasons);
    }

    synchronized void clear() {
        reasons.clear();
    }
}
