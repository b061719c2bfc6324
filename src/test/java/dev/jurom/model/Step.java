// SPDX-License-Identifier: Apache-2.0
package dev.jurom.model;

import java.util.function.Consumer;
import java.util.function.Predicate;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.state.Action;
import net.jqwik.api.state.Transformer;

/**
 * A kind of step of a random sequence.
 *
 * @param possible returns whether the step is possible now
 * @param transformer executes the step
 * @param <S> the type of the tested system with its model
 */
record Step<S>(Predicate<S> possible, Arbitrary<Transformer<S>> transformer) implements Action.Independent<S> {

    private static final int MAX_CHOICE = 11; // a multiple of all small numbers, minus one

    /** Executes a step with a choice, which is taken modulo the number of candidates. */
    @FunctionalInterface
    interface Chosen<S> {
        void take(S state, int choice);
    }

    /** Returns a step that is possible under a condition. */
    static <S> Step<S> when(String name, Predicate<S> possible, Chosen<S> effect) {
        return new Step<>(
                possible,
                Arbitraries.integers()
                        .between(0, MAX_CHOICE)
                        .map(choice -> Transformer.mutate(name + " " + choice, mutation(effect, choice))));
    }

    private static <S> Consumer<S> mutation(Chosen<S> effect, int choice) {
        return state -> effect.take(state, choice);
    }

    @Override
    public boolean precondition(S state) {
        return possible.test(state);
    }
}
