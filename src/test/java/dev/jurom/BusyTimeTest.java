// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/** Compares the busy time of samples with that of random commands. */
class BusyTimeTest {

    private static final long LIMIT = 1_000_000_000;
    private static final long PERIOD = LIMIT / 8;

    /** Commands that begin and end at a time between two samples. */
    private record Interval(long before, int ends, int begins, long after) {}

    @Provide
    Arbitrary<List<Interval>> intervals() {
        var part = Arbitraries.longs().between(0, PERIOD / 2);
        var ends = Arbitraries.frequency(Tuple.of(12, 0), Tuple.of(1, 1), Tuple.of(1, 2));
        var begins = Arbitraries.frequency(Tuple.of(4, 0), Tuple.of(1, 1));
        return Combinators.combine(part, ends, begins, part)
                .as(Interval::new)
                .list()
                .ofMaxSize(80);
    }

    @Property
    void a_worker_exceeds_the_limit_at_most_one_sample_late_and_never_early(
            @ForAll("intervals") List<Interval> intervals) {
        var now = 0L;
        var busy = new BusyTime(LIMIT, now);
        assertEquals(PERIOD, busy.period());
        var inFlight = new HashSet<Integer>();
        var begun = 0;
        Long busySince = null; // null: it has no command
        Set<Integer> sampled = Set.of();
        for (var interval : intervals) {
            now += interval.before();
            for (var i = 0; i < interval.ends() && !inFlight.isEmpty(); i++) {
                inFlight.remove(inFlight.iterator().next());
                busySince = inFlight.isEmpty() ? null : (Long) now;
            }
            for (var i = 0; i < interval.begins(); i++) {
                inFlight.add(begun++);
                busySince = busySince == null ? (Long) now : busySince;
            }
            now += interval.after();

            var exceeded = busy.isExceeded(!sampled.isEmpty() && inFlight.containsAll(sampled), now);
            sampled = Set.copyOf(inFlight);

            var time = busySince == null ? 0 : now - busySince;
            assertTrue(exceeded || time <= LIMIT + PERIOD, "late");
            assertTrue(!exceeded || time > LIMIT, "early");
        }
    }
}
