// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.load;

import java.util.Map;
import java.util.TreeMap;

/** Why connections ended: each reason with how often it was given. Any thread may use it. */
final class Ends {

    private final Map<String, Integer> reasons = new TreeMap<>();

    /** Counts an end; numbers that differ from one to the next are left out. */
    synchronized void count(String why) {
        reasons.merge(why, 1, Integer::sum);
    }

    synchronized Map<String, Integer> reasons() {
        return new TreeMap<>(reasons);
    }

    synchronized void clear() {
        reasons.clear();
    }
}
