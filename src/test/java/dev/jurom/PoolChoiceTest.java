// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Tests the choice of a worker for a command. */
class PoolChoiceTest {

    private static final class Fake implements PoolCandidate {

        private final boolean running;
        private int load;

        Fake(boolean running, int load) {
            this.running = running;
            this.load = load;
        }

        @Override
        public boolean isRunning() {
            return running;
        }

        @Override
        public int load() {
            return load;
        }
    }

    @Property
    void the_first_running_worker_with_the_fewest_commands_is_chosen(
            @ForAll @Size(max = 8) List<@IntRange(max = 5) Integer> loads, @ForAll @Size(8) List<Boolean> running) {
        var candidates = IntStream.range(0, loads.size())
                .mapToObj(i -> new Fake(running.get(i), loads.get(i)))
                .toArray(Fake[]::new);

        var expected = List.of(candidates).stream()
                .filter(Fake::isRunning)
                .min(Comparator.comparingInt(Fake::load))
                .orElse(null);
        assertSame(expected, PoolCandidate.fewest(candidates));
    }

    @Property
    void commands_without_answers_are_spread_evenly(
            @ForAll @IntRange(min = 1, max = 8) int workers, @ForAll @IntRange(max = 100) int commands) {
        var candidates =
                IntStream.range(0, workers).mapToObj(i -> new Fake(true, 0)).toArray(Fake[]::new);
        for (var i = 0; i < commands; i++) {
            PoolCandidate.fewest(candidates).load++;
        }
        for (var i = 0; i < workers; i++) {
            assertEquals(commands / workers + (i < commands % workers ? 1 : 0), candidates[i].load);
        }
    }
}
