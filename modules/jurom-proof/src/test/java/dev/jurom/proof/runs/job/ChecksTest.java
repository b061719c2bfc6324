// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.proof.faults.FaultAction;
import dev.jurom.proof.faults.FaultEvent;
import dev.jurom.proof.faults.FaultRole;
import dev.jurom.proof.runs.host.HostError;
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

/** Tests of the checks after a run. */
class ChecksTest {

    private static final int PROCESS = 4711; // of host 0; host 1 has the next id
    private static final int WORKER = 4242; // process of the worker
    private static final long ID = 7; // of the worker
    private static final long BEGIN = 1_000_000_000_000L;
    private static final long TIMEOUT = 1_000; // ms
    private static final RunPlan PLAN = new RunPlan(1, 2, false, List.of(host(0), host(1)), List.of(), List.of());

    private final Observation observed = new Observation();

    private static HostPlan host(int number) {
        return new HostPlan(
                2,
                number,
                HostKind.C,
                3,
                Duration.ofMillis(TIMEOUT),
                Ending.ORDERLY,
                List.of(new WorkerPlan(ID, 10, 4, 100, 1, WorkerPlan.C_PLUGIN)));
    }

    private static HostResult result(int number, int answered, int failed) {
        return new HostResult(2, number, 10, answered, failed, 0, 0, false, true, false, failed);
    }

    @BeforeEach
    void twoHostsSucceed() {
        observed.workerIds.put((long) WORKER, ID);
        for (var number = 0; number < 2; number++) {
            observed.results.put(number, result(number, 10, 0));
            observed.ended.put(number, 0);
            observed.processes.put(number, (long) PROCESS + number);
        }
    }

    private void assertViolation(RunPlan plan, String text) {
        var violations = Checks.of(plan, observed).violations();
        assertEquals(1, violations.size(), violations::toString);
        assertTrue(violations.getFirst().contains(text), violations::toString);
    }

    private void assertViolation(String text) {
        assertViolation(PLAN, text);
    }

    private void assertPasses() {
        assertEquals(List.of(), Checks.of(PLAN, observed).violations());
    }

    private void injectFault(FaultAction action, FaultRole role, int process) {
        observed.events.add(new FaultEvent(BEGIN, 2, action, process, role, 0));
    }

    /** Records an error of host 0 at a time after the faults. */
    private void fail(String call, String status, long worker, long milliseconds) {
        observed.results.put(0, result(0, 9, 1));
        observed.errors.put(0, List.of(new HostError(0, worker, call, status, BEGIN + milliseconds * 1_000_000, 1)));
    }

    @Test
    void aRunWithoutErrorsPasses() {
        assertPasses();
    }

    @Test
    void aCommandThatDoesNotCompleteIsLost() {
        injectFault(FaultAction.FAIL, FaultRole.WORKER, WORKER);
        fail("task", "IO_FAILED", ID, 1);
        observed.results.put(0, result(0, 8, 1));
        assertViolation("1 of 10 commands did not complete");
    }

    @Test
    void anErrorNeedsACause() {
        fail("task", "IO_FAILED", ID, 1);
        assertViolation("no fault explains task:IO_FAILED of worker 7");

        injectFault(FaultAction.FAIL, FaultRole.WORKER, WORKER);
        assertPasses();
    }

    @Test
    void anErrorThatIsNotReportedIsAViolation() {
        injectFault(FaultAction.FAIL, FaultRole.WORKER, WORKER);
        fail("task", "IO_FAILED", ID, 1);
        observed.results.put(0, new HostResult(2, 0, 10, 9, 1, 0, 0, false, true, false, 2));
        assertViolation("reported 1 of 2 errors");
    }

    @Test
    void aDelayDoesNotExplainAnError() {
        injectFault(FaultAction.DELAY, FaultRole.WORKER, WORKER);
        fail("task", "IO_FAILED", ID, 1);
        assertViolation("no fault explains");
    }

    @Test
    void aFaultOfAnotherHostDoesNotExplainAnError() {
        injectFault(FaultAction.FAIL, FaultRole.HOST, PROCESS + 1);
        fail("task", "IO_FAILED", ID, 1);
        assertViolation("no fault explains");
    }

    @Test
    void aFaultOfAnotherWorkerDoesNotExplainAnError() {
        injectFault(FaultAction.FAIL, FaultRole.WORKER, WORKER + 1);
        observed.workerIds.put(WORKER + 1L, ID + 1);
        fail("task", "IO_FAILED", ID, 1);
        assertViolation("no fault explains");
    }

    @Test
    void aFaultOfAWorkerWithoutAnIdExplainsAFailedStartOnly() {
        injectFault(FaultAction.KILL, FaultRole.WORKER, WORKER + 1);
        fail("start", "INITIALIZATION", ID, 1);
        assertPasses();

        fail("task", "CONNECTION_RESET", ID, 1);
        assertViolation("no fault explains");
    }

    @Test
    void anErrorBeforeTheFaultOrAfterItsDeadlineHasNoCause() {
        injectFault(FaultAction.KILL, FaultRole.WORKER, WORKER);
        fail("task", "CONNECTION_RESET", ID, 50);
        assertPasses();

        fail("task", "CONNECTION_RESET", ID, -10);
        assertViolation("no fault explains");

        fail("task", "CONNECTION_RESET", ID, 60_000);
        assertViolation("no fault explains");
    }

    @Test
    void aHostThatConnectsWaitsLongerForTheAnswerToAChangedMessage() {
        injectFault(FaultAction.CORRUPT, FaultRole.HOST, PROCESS);
        fail("service", "TIME_OUT", 0, 10_100);
        assertPasses();

        fail("submit", "TIME_OUT", ID, 60_000);
        assertViolation("no fault explains");
    }

    @Test
    void aKilledWorkerDoesNotExplainAMissingAnswer() {
        injectFault(FaultAction.KILL, FaultRole.WORKER, WORKER);
        fail("late", "TIME_OUT", 0, 50);
        assertViolation("no fault explains late");

        injectFault(FaultAction.SILENCE, FaultRole.WORKER, WORKER);
        assertPasses();
    }

    @Test
    void onlyAChangedMessageExplainsAWrongAnswer() {
        injectFault(FaultAction.FAIL, FaultRole.WORKER, WORKER);
        fail("wrong", "UNEXPECTED", ID, 1);
        assertViolation("no fault explains wrong");

        injectFault(FaultAction.WRONG_CONTEXT, FaultRole.WORKER, WORKER);
        assertPasses();
    }

    @Test
    void aHostThatHasLostItsServiceFailsUntilItEnds() {
        injectFault(FaultAction.DROP, FaultRole.DAEMON, 1);
        fail("worker", "SHUTDOWN", ID, 1);
        var later = new HostError(0, ID, "start", "BAD_STATE", BEGIN + 60_000_000_000L, 1);
        observed.errors.put(0, List.of(observed.errors.get(0).getFirst(), later));
        observed.results.put(0, new HostResult(2, 0, 10, 9, 1, 0, 0, false, true, false, 2));
        assertPasses();

        observed.errors.put(0, List.of(later));
        observed.results.put(0, result(0, 9, 1));
        assertViolation("no fault explains start:BAD_STATE");
    }

    @Test
    void aStartMustNotFailWhenTheResidentWorkerDies() {
        injectFault(FaultAction.KILL, FaultRole.WORKER, WORKER);
        fail("start", "INITIALIZATION", ID, 1);
        assertPasses();

        observed.residentWorker = WORKER;
        assertViolation("no fault explains start");
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
                    Duration.ofMillis(TIMEOUT),
                    Ending.ORDERLY,
                    host(number).workers(),
                    domain));
            observed.results.put(number, result(number, 9, 1));
            observed.errors.put(
                    number, List.of(new HostError(number, 10 + number, "domain", "CONNECTION_RESET", BEGIN + 1, 1)));
            observed.ended.put(number, 0);
            observed.processes.put(number, (long) PROCESS + number);
        }
        injectFault(FaultAction.FAIL, FaultRole.HOST, PROCESS + 1);

        assertViolation(new RunPlan(1, 2, false, hosts, List.of(), List.of()), "host 2");
    }

    @Test
    void aHostMayBeKilledByAPlannedSignal() {
        observed.results.remove(1);
        observed.ended.put(1, 9);
        assertEquals(2, Checks.of(PLAN, observed).violations().size());

        observed.applied.add(new SentSignal(
                new PlannedSignal(SignalTarget.HOST, 1, Duration.ZERO, Duration.ZERO), PROCESS + 1, BEGIN));
        assertPasses();
    }

    @Test
    void aLineInALogNeedsACause() {
        observed.log.add("service.err: something");
        assertViolation("logged");

        injectFault(FaultAction.FAIL, FaultRole.DAEMON, 1);
        assertPasses();
    }

    @Test
    void aLoggedTicketOfAHostThatLeftAbruptlyIsAllowed() {
        var host = new HostPlan(2, 0, HostKind.C, 3, Duration.ofSeconds(1), Ending.ABRUPT, host(0).workers());
        observed.log.add("worker: A connection was rejected: A host presented no valid ticket.");
        assertViolation("logged");

        var plan = new RunPlan(1, 2, false, List.of(host, host(1)), List.of(), List.of());
        assertEquals(List.of(), Checks.of(plan, observed).violations());
    }

    @Test
    void aTicketThatIsPresentedTwiceMustBeRejected() {
        observed.log.add("worker: A connection was rejected: A host presented no valid ticket.");
        observed.tickets.add(KeyValueLine.parse("accepted-again run=2 number=1 yes=0"));
        assertPasses();

        observed.tickets.add(KeyValueLine.parse("accepted-again run=2 number=1 yes=1"));
        assertViolation("host 1 was accepted twice with one ticket");
    }

    @Test
    void aClosedConnectionMustNotBeKeptOpen() {
        observed.closedConnections.add(KeyValueLine.parse("closed-by-worker run=2 number=1 yes=1"));
        assertPasses();

        observed.closedConnections.add(KeyValueLine.parse("closed-by-worker run=2 number=1 yes=0"));
        assertViolation("host 1 closed its connection");
    }

    @Test
    void faultsDoNotExcuseViolationsAfterTheRun() {
        injectFault(FaultAction.FAIL, FaultRole.DAEMON, 1);
        observed.afterwards.add("after the run a host was not served");
        assertViolation("not served");
    }

    @Test
    void faultsDoNotExcuseACrash() {
        injectFault(FaultAction.FAIL, FaultRole.DAEMON, 1);
        observed.log.add("urom_worker_1: AddressSanitizer: heap-use-after-free");
        assertViolation("AddressSanitizer");
    }

    @Test
    void theServiceMayExitOnlyByAFault() {
        observed.exited.add("service");
        assertViolation("the process service exited");
    }

    @Test
    void leftoversAreViolations() {
        observed.leftOver.add("files: x");
        assertViolation("left over: files: x");
    }
}
