// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class RestartsTest {

    /** Returns the lives of workers, in milliseconds; empty for starts that fail. */
    @Provide
    Arbitrary<List<Optional<Integer>>> lives() {
        return Arbitraries.integers().between(0, 20_000).optional().list().ofMaxSize(20);
    }

    @Property
    void the_pause_doubles_up_to_a_second_and_a_long_life_ends_it(@ForAll("lives") List<Optional<Integer>> lives) {
        var now = Long.MAX_VALUE - Duration.ofSeconds(100).toNanos(); // a time that overflows
        var restarts = new Restarts(now);
        assertEquals(0, restarts.remaining(now));
        var pause = 0L;
        for (var life : lives) {
            if (life.isPresent()) {
                restarts.started(now);
                now += Duration.ofMillis(life.get()).toNanos();
            }
            restarts.ended(now);

            var isLong = life.isPresent() && life.get() >= 10_000;
            pause = isLong ? 0 : Math.min(1000, Math.max(20, 2 * pause));
            assertEquals(Duration.ofMillis(pause).toNanos(), restarts.remaining(now));
            now += Duration.ofMillis(pause).toNanos();
            assertEquals(0, restarts.remaining(now));
            assertEquals(0, restarts.remaining(now + 1));
        }
    }
}
