// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs comparisons in turn, again and again, so that what disturbs the machine disturbs all alike.
 * Within one, the order of the subjects alternates.
 */
final class RatioRun implements AutoCloseable {

    private static final int PROBE_OPERATIONS = 2000;

    private final List<Comparison> comparisons;
    private final List<Limit> limits;
    private final Map<Subject, Contestant> contestants = new LinkedHashMap<>();
    private final Map<Comparison, List<Pairing>> pairings = new LinkedHashMap<>();
    private final Map<Subject, List<Round>> rounds = new LinkedHashMap<>();
    private final Contestant probe;

    /** Starts all subjects and warms them up. */
    RatioRun(Subject probe, List<Comparison> comparisons, List<Limit> limits) {
        this.comparisons = comparisons;
        this.limits = limits;
        this.probe = Contestant.start(probe);
        try {
            this.probe.warmUp();
            for (var comparison : comparisons) {
                pairings.put(comparison, new ArrayList<>());
                contestants.computeIfAbsent(comparison.denominator(), RatioRun::start);
                contestants.computeIfAbsent(comparison.numerator(), RatioRun::start);
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private static Contestant start(Subject subject) {
        var contestant = Contestant.start(subject);
        contestant.warmUp();
        return contestant;
    }

    /** Runs each comparison so many times. */
    RatioResults run(int times) {
        for (var time = 0; time < times; time++) {
            for (var comparison : comparisons) {
                pairings.get(comparison).add(pair(comparison, time % 2 == 0));
            }
        }
        return new RatioResults(pairings, rounds, limits);
    }

    private Pairing pair(Comparison comparison, boolean numeratorFirst) {
        var numerator = contestants.get(comparison.numerator());
        var denominator = contestants.get(comparison.denominator());
        var before = probe();
        var first = round(numeratorFirst ? numerator : denominator);
        var between = probe();
        var second = round(numeratorFirst ? denominator : numerator);
        var after = probe();
        return new Pairing(
                comparison.above().of(numeratorFirst ? first : second),
                comparison.below().of(numeratorFirst ? second : first),
                before, between, after);
    }

    private Round round(Contestant contestant) {
        var round = contestant.round();
        rounds.computeIfAbsent(contestant.subject(), subject -> new ArrayList<>()).add(round);
        return round;
    }

    private double probe() {
        return probe.round(PROBE_OPERATIONS).p50();
    }

    @Override
    public void close() {
        contestants.values().forEach(Contestant::close);
        probe.close();
    }
}
