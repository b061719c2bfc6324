// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Measures curves, point by point: at each, the lines take turns, each beside the reference, and
 * the order of the two alternates. Programs that serve all points live until the end.
 */
final class CurveRun implements AutoCloseable {

    /** What a program that is warm takes to be so at another point. */
    private static final Duration BRIEF = Duration.ofMillis(200);

    private final int rounds;
    private final Services services = new Services();
    private final CoreWatch cores = new CoreWatch();
    private final Map<Subject, Contestant> lasting = new LinkedHashMap<>();

    /** With so many rounds at each point. */
    CurveRun(int rounds) {
        this.rounds = rounds;
    }

    CurveResults run(Curve curve) {
        var pairings = new LinkedHashMap<CurveLine, Map<Integer, List<Pairing>>>();
        for (var point : curve.points()) {
            var atPoint = new LinkedHashMap<CurveLine, Contestant>();
            try {
                for (var line : curve.lines()) {
                    if (point <= line.most()) {
                        atPoint.put(line, contestant(line, point));
                    }
                }
                measure(curve, atPoint)
                        .forEach((line, all) -> pairings.computeIfAbsent(line, anyLine -> new TreeMap<>())
                                .put(point, all));
            } finally {
                atPoint.forEach((line, contestant) -> {
                    if (line.change().isEmpty()) {
                        contestant.close();
                    }
                });
            }
        }
        return new CurveResults(curve, pairings);
    }

    /** Who runs a line at a point, warm. */
    private Contestant contestant(CurveLine line, int point) {
        var subject = line.subject().apply(point);
        if (line.change().isEmpty()) {
            var contestant = services.start(subject);
            contestant.warmUp();
            return contestant;
        }
        var isNew = !lasting.containsKey(subject);
        var contestant = lasting.computeIfAbsent(subject, services::start);
        contestant.change(line.change(), point);
        contestant.warmUp(isNew ? subject.warmUp() : BRIEF);
        return contestant;
    }

    private Contestant reference(Subject subject) {
        return lasting.computeIfAbsent(subject, wanted -> {
            var contestant = services.start(wanted);
            contestant.warmUp();
            return contestant;
        });
    }

    private Map<CurveLine, List<Pairing>> measure(Curve curve, Map<CurveLine, Contestant> lines) {
        var reference = reference(curve.reference());
        var pairings = new LinkedHashMap<CurveLine, List<Pairing>>();
        for (var round = 0; round < rounds; round++) {
            var referenceFirst = round % 2 == 0;
            lines.forEach((line, contestant) -> pairings.computeIfAbsent(line, anyLine -> new ArrayList<>())
                    .add(pair(curve.unit(), contestant, reference, referenceFirst)));
        }
        return pairings;
    }

    private Pairing pair(Quantity unit, Contestant contestant, Contestant reference, boolean referenceFirst) {
        var before = cores.look();
        var first = (referenceFirst ? reference : contestant).round();
        var between = cores.look();
        var second = (referenceFirst ? contestant : reference).round();
        var after = cores.look();
        return new Pairing(
                unit.of(referenceFirst ? second : first),
                unit.of(referenceFirst ? first : second),
                before,
                between,
                after);
    }

    @Override
    public void close() {
        lasting.values().forEach(Contestant::close);
        services.close();
        cores.close();
    }
}
