// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.proof.faults.FaultAction;
import dev.jurom.proof.faults.FaultEvent;
import dev.jurom.proof.faults.FaultRole;
import dev.jurom.proof.runs.host.HostResult;
import dev.jurom.proof.runs.plan.DomainPlan;
import dev.jurom.proof.runs.plan.Ending;
import dev.jurom.proof.runs.plan.HostKind;
import dev.jurom.proof.runs.plan.HostPlan;
import dev.jurom.proof.runs.plan.KeyValueLine;
import dev.jurom.proof.runs.plan.PlannedSignal;
import dev.jurom.proof.runs.plan.RunPlan;
import dev.jurom.proof.runs.plan.SignalTarget;
import dev.jurom.proof.runs.plan.WorkerPlan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ChecksTest {

    private static final int PROCESS = 4711;
    private static final int KEPT = 4242; // the worker's
    private static final RunPlan PLAN = new RunPlan(1, 2, false, List.of(host(0), host(1)), List.of(), List.of());

    private final Observation seen = new Observation();

    private static HostPlan host(int number) {
        return new HostPlan(
                2,
                number,
                HostKind.C,
                3,
                Duration.ofSeconds(1),
                Ending.ORDERLY,
                List.of(new WorkerPlan(1, 10, 4, 100, 1)));
    }

    private static HostResult result(int number, int submitted, int answered, int failed) {
        return new HostResult(
                2,
                number,
                submitted,
                answered,
                failed,
                0,
                0,
                0,
                false,
                true,
                false,
                failed == 0 ? "-" : "task:IO_FAILED");
    }

    @BeforeEach
    void twoHostsSucceed() {
        for (var number = 0; number < 2; number++) {
            seen.results.put(number, result(number, 10, 10, 0));
            seen.ended.put(number, 0);
            seen.processes.put(number, (long) PROCESS + number);
        }
    }

    private void assertViolation(String what) {
        var violations = Checks.of(PLAN, seen);
        assertEquals(1, violations.size(), violations::toString);
        assertTrue(violations.getFirst().contains(what), violations::toString);
    }

    private void injectFault(FaultAction action, FaultRole role, int process) {
        seen.events.add(new FaultEvent(1, 2, action, process, role, 0));
    }

    @Test
    void aRunWithoutErrorsPasses() {
        assertEquals(List.of(), Checks.of(PLAN, seen));
    }

    @Test
    void aCommandThatDoesNotCompleteIsLost() {
        injectFault(FaultAction.FAIL, FaultRole.WORKER, 1);
        seen.results.put(0, result(0, 10, 9, 0));
        assertViolation("1 of 10 commands did not complete");
    }

    @Test
    void anErrorNeedsACause() {
        seen.results.put(0, result(0, 10, 9, 1));
        assertViolation("errors without a cause");
    }

    @Test
    void anErrorMayHaveItsCauseInTheWorker() {
        injectFault(FaultAction.FAIL, FaultRole.WORKER, 1);
        seen.results.put(0, result(0, 10, 9, 1));
        assertEquals(List.of(), Checks.of(PLAN, seen));
    }

    @Test
    void aFaultOfAnotherHostIsNoCause() {
        injectFault(FaultAction.FAIL, FaultRole.HOST, PROCESS + 1);
        seen.results.put(0, result(0, 10, 9, 1));
        assertViolation("errors without a cause");
    }

    @Test
    void aFaultOfAMemberAffectsTheOthersOfItsDomain() {
        var hosts = new ArrayList<HostPlan>();
        for (var number = 0; number < 3; number++) {
            var domain =
                    number < 2 ? Optional.of(new DomainPlan(number, 2, 3, 10, 1, 1)) : Optional.<DomainPlan>empty();
            hosts.add(new HostPlan(
                    2,
                    number,
                    HostKind.C,
                    3,
                    Duration.ofSeconds(1),
                    Ending.ORDERLY,
                    host(number).workers(),
                    domain));
            seen.results.put(number, result(number, 10, 9, 1));
            seen.ended.put(number, 0);
            seen.processes.put(number, (long) PROCESS + number);
        }
        injectFault(FaultAction.FAIL, FaultRole.HOST, PROCESS + 1);

        var violations = Checks.of(new RunPlan(1, 2, false, hosts, List.of(), List.of()), seen);

        assertEquals(1, violations.size(), violations::toString);
        assertTrue(violations.getFirst().startsWith("host 2"), violations::toString);
    }

    @Test
    void aDelayIsNoCause() {
        injectFault(FaultAction.DELAY, FaultRole.WORKER, 1);
        seen.results.put(0, result(0, 10, 9, 1));
        assertViolation("errors without a cause");
    }

    @Test
    void aHostMayBeKilledByAPlannedSignal() {
        seen.results.remove(1);
        seen.ended.put(1, 9);
        assertTrue(Checks.of(PLAN, seen).size() == 2);

        seen.applied.add(
                new SentSignal(new PlannedSignal(SignalTarget.HOST, 1, Duration.ZERO, Duration.ZERO), PROCESS + 1));
        assertEquals(List.of(), Checks.of(PLAN, seen));
    }

    @Test
    void aLineInALogNeedsACause() {
        seen.log.add("service.err: something");
        assertViolation("logged");

        injectFault(FaultAction.FAIL, FaultRole.DAEMON, 1);
        assertEquals(List.of(), Checks.of(PLAN, seen));
    }

    @Test
    void aLoggedTicketOfAHostThatLeftAbruptlyIsNoViolation() {
        var line = "worker: A connection was rejected: A host presented no valid ticket.";
        var host = new HostPlan(2, 0, HostKind.C, 3, Duration.ofSeconds(1), Ending.ABRUPT, host(0).workers());
        seen.log.add(line);
        assertViolation("logged");

        assertEquals(
                List.of(), Checks.of(new RunPlan(1, 2, false, List.of(host, host(1)), List.of(), List.of()), seen));
    }

    @Test
    void aTicketThatIsPresentedTwiceMustBeRejected() {
        seen.log.add("worker: A connection was rejected: A host presented no valid ticket.");
        seen.tickets.add(KeyValueLine.parse("accepted-again run=2 number=1 yes=0"));
        assertEquals(List.of(), Checks.of(PLAN, seen));

        seen.tickets.add(KeyValueLine.parse("accepted-again run=2 number=1 yes=1"));
        assertViolation("host 1 was accepted twice with one ticket");
    }

    @Test
    void aClosedConnectionMustNotBeKeptOpen() {
        seen.cuts.add(KeyValueLine.parse("closed-by-worker run=2 number=1 yes=1"));
        assertEquals(List.of(), Checks.of(PLAN, seen));

        seen.cuts.add(KeyValueLine.parse("closed-by-worker run=2 number=1 yes=0"));
        assertViolation("host 1 closed its connection");
    }

    @Test
    void aStartMustNotFailWhenTheResidentWorkerDies() {
        injectFault(FaultAction.KILL, FaultRole.WORKER, KEPT);
        seen.results.put(
                0, new HostResult(2, 0, 10, 10, 0, 0, 0, 1, false, true, false, "task:IO_FAILED+start:INITIALIZATION"));
        assertEquals(List.of(), Checks.of(PLAN, seen));

        seen.residentWorker = KEPT;
        assertViolation("a start failed");

        injectFault(FaultAction.KILL, FaultRole.WORKER, KEPT + 1);
        assertEquals(List.of(), Checks.of(PLAN, seen));
    }

    @Test
    void faultsDoNotExcuseViolationsAfterTheRun() {
        injectFault(FaultAction.FAIL, FaultRole.DAEMON, 1);
        seen.afterwards.add("after the run a host was not served");
        assertViolation("not served");
    }

    @Test
    void faultsDoNotExcuseACrash() {
        injectFault(FaultAction.FAIL, FaultRole.DAEMON, 1);
        seen.log.add("urom_worker_1: AddressSanitizer: heap-use-after-free");
        assertViolation("AddressSanitizer");
    }

    @Test
    void theServiceMayExitOnlyByAFault() {
        seen.exited.add("service");
        assertViolation("the process service exited");
    }

    @Test
    void leftoversAreViolations() {
        seen.leftOver.add("files: x");
        assertViolation("left over: files: x");
    }

    @Test
    void faultsDoNotExcuseBrokenInvariants() {
        injectFault(FaultAction.FAIL, FaultRole.WORKER, 1);
        seen.broken.add("broken run=2 number=0 a slot is lost");
        assertViolation("a slot is lost");
    }
}
