// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Executes comparisons alternately, so that other load of the machine affects all of them. Within a
 * comparison, the order of the subjects alternates.
 */
final class RatioRun implements AutoCloseable {

    private final List<Comparison> comparisons;
    private final List<Limit> limits;
    private final Services services;
    private final RawOption raw;
    private final CacheDomainProbe probe = new CacheDomainProbe();
    private final Map<Subject, SubjectProcess> processes = new LinkedHashMap<>();
    private final Map<Comparison, List<Pairing>> pairings = new LinkedHashMap<>();
    private final Map<Subject, Map<CacheDomain, List<Round>>> rounds = new LinkedHashMap<>();

    /** Starts all subjects and warms them up. */
    RatioRun(List<Comparison> comparisons, List<Limit> limits, Services services, RawOption raw) {
        this.comparisons = comparisons;
        this.limits = limits;
        this.services = services;
        this.raw = raw;
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
                measure(comparison, time);
            }
            for (var limit : limits) {
                var domain = CacheDomain.of(probe.measure());
                var round = processes.get(limit.subject()).round();
                add(limit.subject(), domain, round);
                var values = new LinkedHashMap<String, Object>();
                values.put("limit", limit.name());
                values.put("round", time);
                values.put("subject", limit.subject().name());
                values.putAll(round.values());
                raw.add(values);
            }
        }
        return new RatioResults(pairings, rounds, limits, probe.summary());
    }

    private void measure(Comparison comparison, int time) {
        var pairing = Pairing.measure(
                probe,
                processes.get(comparison.numerator()),
                comparison.above(),
                processes.get(comparison.denominator()),
                comparison.below(),
                time % 2 == 0);
        pairings.get(comparison).add(pairing);
        add(comparison.numerator(), pairing.domainBefore(true), pairing.numerator());
        add(comparison.denominator(), pairing.domainBefore(false), pairing.denominator());
        var values = new LinkedHashMap<String, Object>();
        values.put("comparison", comparison.name());
        values.put("round", time);
        values.put(
                comparison.relation().name().toLowerCase(Locale.ROOT),
                comparison.relation().of(pairing));
        pairing.addTo(values, comparison.numerator(), comparison.denominator());
        raw.add(values);
    }

    private void add(Subject subject, CacheDomain domain, Round round) {
        rounds.computeIfAbsent(subject, its -> new EnumMap<>(CacheDomain.class))
                .computeIfAbsent(domain, its -> new ArrayList<>())
                .add(round);
    }

    @Override
    public void close() {
        processes.values().forEach(SubjectProcess::close);
        services.close();
        probe.close();
    }
}
