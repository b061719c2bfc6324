// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs comparisons in turn, again and again, so that what disturbs the machine disturbs all alike.
 * Within one, the order of the subjects alternates.
 */
final class RatioRun implements AutoCloseable {

    private final List<Comparison> comparisons;
    private final List<Limit> limits;
    private final Services services = new Services();
    private final CoreWatch cores = new CoreWatch();
    private final Map<Subject, Contestant> contestants = new LinkedHashMap<>();
    private final Map<Comparison, List<Pairing>> pairings = new LinkedHashMap<>();
    private final Map<Subject, Map<Distance, List<Round>>> rounds = new LinkedHashMap<>();

    /** Starts all subjects and warms them up. */
    RatioRun(List<Comparison> comparisons, List<Limit> limits) {
        this.comparisons = comparisons;
        this.limits = limits;
        try {
            for (var comparison : comparisons) {
                pairings.put(comparison, new ArrayList<>());
                contestants.computeIfAbsent(comparison.denominator(), this::start);
                contestants.computeIfAbsent(comparison.numerator(), this::start);
            }
            for (var limit : limits) {
                contestants.computeIfAbsent(limit.subject(), this::start);
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private Contestant start(Subject subject) {
        var contestant = services.start(subject);
        contestant.warmUp();
        return contestant;
    }

    /** Runs each comparison so many times. */
    RatioResults run(int times) {
        for (var time = 0; time < times; time++) {
            for (var comparison : comparisons) {
                pairings.get(comparison).add(pair(comparison, time % 2 == 0));
            }
            for (var limit : limits) {
                round(contestants.get(limit.subject()), cores.look());
            }
        }
        return new RatioResults(pairings, rounds, limits, cores.summary());
    }

    private Pairing pair(Comparison comparison, boolean numeratorFirst) {
        var numerator = contestants.get(comparison.numerator());
        var denominator = contestants.get(comparison.denominator());
        var before = cores.look();
        var first = round(numeratorFirst ? numerator : denominator, before);
        var between = cores.look();
        var second = round(numeratorFirst ? denominator : numerator, between);
        var after = cores.look();
        return new Pairing(
                comparison.above().of(numeratorFirst ? first : second),
                comparison.below().of(numeratorFirst ? second : first),
                before,
                between,
                after);
    }

    private Round round(Contestant contestant, double before) {
        var round = contestant.round();
        rounds.computeIfAbsent(contestant.subject(), subject -> new EnumMap<>(Distance.class))
                .computeIfAbsent(Distance.of(before), distance -> new ArrayList<>())
                .add(round);
        return round;
    }

    @Override
    public void close() {
        contestants.values().forEach(Contestant::close);
        services.close();
        cores.close();
    }
}
