// SPDX-License-Identifier: Apache-2.0
package dev.jurom.model;

import java.util.function.Consumer;
import java.util.function.Predicate;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.state.Action;
import net.jqwik.api.state.Transformer;

/**
 * One kind of step of a random sequence.
 *
 * @param possible whether it can be taken now
 * @param transformer takes it
 * @param <S> what is tested, and its model
 */
record Step<S>(Predicate<S> possible, Arbitrary<Transformer<S>> transformer) implements Action.Independent<S> {

    private static final int LARGEST_CHOICE = 11; // a multiple of all small numbers, less one

    /** What a step does with a choice, which it takes modulo as many as there are. */
    @FunctionalInterface
    interface Chosen<S> {
        void take(S state, int choice);
    }

    /** A step that can be taken when something holds. */
    static <S> Step<S> when(String name, Predicate<S> possible, Chosen<S> effect) {
        return new Step<>(
                possible,
                Arbitraries.integers()
                        .between(0, LARGEST_CHOICE)
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
