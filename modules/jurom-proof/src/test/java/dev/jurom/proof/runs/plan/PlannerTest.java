// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.proof.faults.FaultAction;
import dev.jurom.proof.faults.FaultRole;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests of drawing the plans of runs. */
class PlannerTest {

    private static final int RUNS = 5000;

    private static Stream<RunPlan> plans() {
        return IntStream.rangeClosed(1, RUNS).mapToObj(run -> Planner.draw(14, run));
    }

    @Test
    void theSameSeedGivesTheSameRuns() {
        for (var run = 1; run < 100; run++) {
            assertEquals(Planner.draw(14, run), Planner.draw(14, run));
            assertNotEquals(Planner.draw(14, run).hosts(), Planner.draw(15, run).hosts());
        }
    }

    @Test
    void faultsAreDrawnAtEveryPoint() {
        var drawn = plans().flatMap(plan -> plan.faults().stream())
                .map(fault -> fault.point().name())
                .collect(Collectors.toSet());

        assertEquals(FaultDraw.points().stream().map(point -> point.name()).collect(Collectors.toSet()), drawn);
    }

    @Test
    void theServiceIsKilledOnlyInFreshRuns() {
        var deadly = Set.of(FaultAction.KILL, FaultAction.STOP);

        assertTrue(plans().filter(plan -> !plan.fresh())
                .allMatch(plan -> plan.signals().stream().noneMatch(signal -> signal.target() == SignalTarget.DAEMON)
                        && plan.faults().stream()
                                .noneMatch(
                                        fault -> fault.role() == FaultRole.DAEMON && deadly.contains(fault.action()))));
        assertTrue(plans().filter(RunPlan::fresh)
                .anyMatch(plan -> plan.signals().stream().anyMatch(signal -> signal.target() == SignalTarget.DAEMON)));
    }

    @Test
    void hostsOfSomeRunsFormADomain() {
        var plans = plans().filter(plan -> !plan.members().isEmpty()).toList();

        assertTrue(plans.size() > RUNS / 12, plans::toString);
        for (var plan : plans) {
            var members = plan.members().stream()
                    .map(host -> host.domain().orElseThrow())
                    .toList();
            assertEquals(
                    IntStream.range(0, members.size()).boxed().toList(),
                    members.stream().map(DomainPlan::index).toList());
            assertTrue(members.stream()
                    .allMatch(member -> member.members() == members.size()
                            && member.members() > 1
                            && member.seed() == members.getFirst().seed()));
            assertTrue(plan.members().stream()
                    .allMatch(host -> host.kind() == HostKind.FACADE && host.ending() == Ending.ORDERLY));
        }
    }

    @Test
    void theHostsOfSomeRunsShareAWorkerInJavaThatNoFaultCrashes() {
        var found = 0;
        for (var run = 1; run <= RUNS; run++) {
            var plan = Planner.draw(14, run);
            var plugins = plan.hosts().stream()
                    .flatMap(host -> host.workers().stream())
                    .collect(Collectors.groupingBy(
                            WorkerPlan::id, Collectors.mapping(WorkerPlan::plugin, Collectors.toSet())));
            assertTrue(plugins.values().stream().allMatch(names -> names.size() == 1));
            if (plugins.containsValue(Set.of(WorkerPlan.JAVA_PLUGIN))) {
                found++;
                assertTrue(plan.faults().stream()
                        .noneMatch(fault -> fault.role() == FaultRole.WORKER && fault.action() == FaultAction.SEGV));
            }
        }
        assertTrue(found > RUNS / 30 && found < RUNS / 10, found + " runs");
    }

    @Test
    void aHostIsParsedFromItsLine() {
        plans().flatMap(plan -> plan.hosts().stream()).forEach(host -> assertEquals(host, HostPlan.parse(host.line())));
    }
}
