// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/**
 * What came of a comparison.
 *
 * @param pairings its rounds, also those in which the machine's state changed
 * @param slowFrom the cost of a cache line in nanoseconds from which on the machine is in its
 *        slow state
 */
record ComparisonResult(List<Pairing> pairings, double slowFrom) {

    /** Of the rounds in which the machine was in one state. */
    Spread ratio() {
        return spread(Pairing::ratio, pairing -> true);
    }

    /** Of those in which a cache line was cheap. */
    Spread ratioWhenFast() {
        return spread(Pairing::ratio, this::isFast);
    }

    /** Of those in which it was not. */
    Spread ratioWhenSlow() {
        return spread(Pairing::ratio, pairing -> !isFast(pairing));
    }

    Spread above() {
        return spread(Pairing::above, pairing -> true);
    }

    Spread below() {
        return spread(Pairing::below, pairing -> true);
    }

    private boolean isFast(Pairing pairing) {
        return pairing.cacheLine() < slowFrom;
    }

    private Spread spread(ToDoubleFunction<Pairing> value, Predicate<Pairing> wanted) {
        return Spread.of(pairings.stream().filter(Pairing::isSteady).filter(wanted)
                .map(value::applyAsDouble).toList());
    }
}
