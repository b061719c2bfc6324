// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleFunction;

/** How two figures of neighbouring rounds are put together. */
enum Relation {

    /** How many times the second the first is. */
    RATIO((above, below) -> above / below, Figures::number),
    /** What the first takes longer than the second. */
    DIFFERENCE((above, below) -> above - below, Figures::time);

    private final DoubleBinaryOperator operator;
    private final DoubleFunction<String> text;

    Relation(DoubleBinaryOperator operator, DoubleFunction<String> text) {
        this.operator = operator;
        this.text = text;
    }

    double of(Pairing pairing) {
        return operator.applyAsDouble(pairing.above(), pairing.below());
    }

    /** A result as text. */
    String format(double result) {
        return text.apply(result);
    }
}
