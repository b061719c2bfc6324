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
    private final Services services = new Services();
    private final CacheDomainProbe probe = new CacheDomainProbe();
    private final Map<Subject, SubjectProcess> processes = new LinkedHashMap<>();

    /** Creates a run with the given number of rounds at each point. */
    CurveRun(int rounds) {
        this.rounds = rounds;
    }

    CurveResults run(Curve curve) {
        var pairings = new LinkedHashMap<CurveLine, Map<Integer, List<Pairing>>>();
        for (var point : curve.points()) {
            var atPoint = new LinkedHashMap<CurveLine, SubjectProcess>();
            try {
                for (var line : curve.lines()) {
                    if (point <= line.most()) {
                        atPoint.put(line, process(line, point));
                    }
                }
                measure(curve, atPoint)
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

    private Map<CurveLine, List<Pairing>> measure(Curve curve, Map<CurveLine, SubjectProcess> lines) {
        var reference = reference(curve.reference());
        var pairings = new LinkedHashMap<CurveLine, List<Pairing>>();
        for (var round = 0; round < rounds; round++) {
            var referenceFirst = round % 2 == 0;
            lines.forEach((line, process) -> pairings.computeIfAbsent(line, anyLine -> new ArrayList<>())
                    .add(pair(curve.unit(), process, reference, referenceFirst)));
        }
        return pairings;
    }

    private Pairing pair(Quantity unit, SubjectProcess process, SubjectProcess reference, boolean referenceFirst) {
        var before = probe.measure();
        var first = (referenceFirst ? reference : process).round();
        var between = probe.measure();
        var second = (referenceFirst ? process : reference).round();
        var after = probe.measure();
        return new Pairing(
                unit.of(referenceFirst ? second : first),
                unit.of(referenceFirst ? first : second),
                before,
                between,
                after);
    }

    @Override
    public void close() {
        processes.values().forEach(SubjectProcess::close);
        services.close();
        probe.close();
    }
}
