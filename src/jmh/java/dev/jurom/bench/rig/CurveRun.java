// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Measures curves point by point. At each point, the lines are measured in turn, each together with the
 * reference in alternating order. Processes that measure all points run until the end.
 */
final class CurveRun implements AutoCloseable {

    /** The warm-up of a process after a change of its parameter. */
    private static final Duration BRIEF = Duration.ofMillis(200);

    private final int rounds;
    private final Services services;
    private final RawOption raw;
    private final CacheDomainProbe probe = new CacheDomainProbe();
    private final Map<Subject, SubjectProcess> processes = new LinkedHashMap<>();

    /** Creates a run with the given number of rounds at each point. */
    CurveRun(int rounds, Services services, RawOption raw) {
        this.rounds = rounds;
        this.services = services;
        this.raw = raw;
    }

    CurveResults run(Curve curve) {
        var pairings = new LinkedHashMap<CurveLine, Map<Integer, List<Pairing>>>();
        for (var point : curve.points()) {
            var atPoint = new LinkedHashMap<CurveLine, SubjectProcess>();
            try {
                for (var line : curve.lines()) {
                    if (point <= line.most() && services.supports(line.subject().apply(point))) {
                        atPoint.put(line, process(line, point));
                    }
                }
                measure(curve, point, atPoint)
                        .forEach((line, all) -> pairings.computeIfAbsent(line, anyLine -> new TreeMap<>())
                                .put(point, all));
            } finally {
                atPoint.forEach((line, process) -> {
                    if (line.change().isEmpty()) {
                        process.close();
                    }
                });
            }
        }
        return new CurveResults(curve, pairings);
    }

    /** Returns the warmed-up process of a line at a point. */
    private SubjectProcess process(CurveLine line, int point) {
        var subject = line.subject().apply(point);
        if (line.change().isEmpty()) {
            var process = services.start(subject);
            process.warmUp();
            return process;
        }
        var isNew = !processes.containsKey(subject);
        var process = processes.computeIfAbsent(subject, services::start);
        process.change(line.change(), point);
        process.warmUp(isNew ? subject.warmUp() : BRIEF);
        return process;
    }

    private SubjectProcess reference(Subject subject) {
        return processes.computeIfAbsent(subject, wanted -> {
            var process = services.start(wanted);
            process.warmUp();
            return process;
        });
    }

    private Map<CurveLine, List<Pairing>> measure(Curve curve, int point, Map<CurveLine, SubjectProcess> lines) {
        var reference = reference(curve.reference());
        var pairings = new LinkedHashMap<CurveLine, List<Pairing>>();
        for (var round = 0; round < rounds; round++) {
            for (var at : lines.entrySet()) {
                var pairing =
                        Pairing.measure(probe, at.getValue(), curve.unit(), reference, curve.unit(), round % 2 != 0);
                pairings.computeIfAbsent(at.getKey(), line -> new ArrayList<>()).add(pairing);
                var values = new LinkedHashMap<String, Object>();
                values.put("curve", curve.name());
                values.put("line", at.getKey().name());
                values.put("point", point);
                values.put("round", round);
                values.put("ratio", Relation.RATIO.of(pairing));
                pairing.addTo(values, at.getValue().subject(), curve.reference());
                raw.add(values);
            }
        }
        return pairings;
    }

    @Override
    public void close() {
        processes.values().forEach(SubjectProcess::close);
        services.close();
        probe.close();
    }
}
