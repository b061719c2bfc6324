// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleFunction;

/** The relation of the values of two consecutive rounds. */
enum Relation {

    /** The ratio of the first to the second. */
    RATIO((above, below) -> above / below, Figures::number),
    /** The difference of the first and the second. */
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

    /** Formats a result. */
    String format(double result) {
        return text.apply(result);
    }
}
