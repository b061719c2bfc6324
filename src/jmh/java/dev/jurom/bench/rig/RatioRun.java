// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Executes comparisons alternately, so that other load of the machine affects all of them. Within a
 * comparison, the order of the subjects alternates.
 */
final class RatioRun implements AutoCloseable {

    private final List<Comparison> comparisons;
    private final List<Limit> limits;
    private final Services services = new Services();
    private final CacheDomainProbe probe = new CacheDomainProbe();
    private final Map<Subject, SubjectProcess> processes = new LinkedHashMap<>();
    private final Map<Comparison, List<Pairing>> pairings = new LinkedHashMap<>();
    private final Map<Subject, Map<CacheDomain, List<Round>>> rounds = new LinkedHashMap<>();

    /** Starts all subjects and warms them up. */
    RatioRun(List<Comparison> comparisons, List<Limit> limits) {
        this.comparisons = comparisons;
        this.limits = limits;
        try {
            for (var comparison : comparisons) {
                pairings.put(comparison, new ArrayList<>());
                processes.computeIfAbsent(comparison.denominator(), this::start);
                processes.computeIfAbsent(comparison.numerator(), this::start);
            }
            for (var limit : limits) {
                processes.computeIfAbsent(limit.subject(), this::start);
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private SubjectProcess start(Subject subject) {
        var process = services.start(subject);
        process.warmUp();
        return process;
    }

    /** Executes each comparison the given number of times. */
    RatioResults run(int times) {
        for (var time = 0; time < times; time++) {
            for (var comparison : comparisons) {
                pairings.get(comparison).add(pair(comparison, time % 2 == 0));
            }
            for (var limit : limits) {
                round(processes.get(limit.subject()), probe.measure());
            }
        }
        return new RatioResults(pairings, rounds, limits, probe.summary());
    }

    private Pairing pair(Comparison comparison, boolean numeratorFirst) {
        var numerator = processes.get(comparison.numerator());
        var denominator = processes.get(comparison.denominator());
        var before = probe.measure();
        var first = round(numeratorFirst ? numerator : denominator, before);
        var between = probe.measure();
        var second = round(numeratorFirst ? denominator : numerator, between);
        var after = probe.measure();
        return new Pairing(
                comparison.above().of(numeratorFirst ? first : second),
                comparison.below().of(numeratorFirst ? second : first),
                before,
                between,
                after);
    }

    private Round round(SubjectProcess process, double before) {
        var round = process.round();
        rounds.computeIfAbsent(process.subject(), subject -> new EnumMap<>(CacheDomain.class))
                .computeIfAbsent(CacheDomain.of(before), domain -> new ArrayList<>())
                .add(round);
        return round;
    }

    @Override
    public void close() {
        processes.values().forEach(SubjectProcess::close);
        services.close();
        probe.close();
    }
}
