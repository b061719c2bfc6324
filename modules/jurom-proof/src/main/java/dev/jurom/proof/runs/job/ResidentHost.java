// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.job;

import dev.jurom.counters.CountedWorker;
import dev.jurom.counters.Counter;
import dev.jurom.counters.CounterFile;
import dev.jurom.linux.RunningProcess;
import dev.jurom.proof.faults.Fault;
import dev.jurom.proof.faults.FaultAction;
import dev.jurom.proof.faults.FaultPoint;
import dev.jurom.proof.faults.FaultPoints;
import dev.jurom.proof.faults.FaultRole;
import dev.jurom.proof.runs.plan.HostKind;
import dev.jurom.proof.runs.plan.KeyValueLine;
import dev.jurom.proof.runs.plan.Planner;
import dev.jurom.proof.runs.plan.RunPlan;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * A C host that uses the shared worker from before a run until after it. It detects what the run leaves
 * behind in that worker, and whether the worker still serves hosts.
 */
final class ResidentHost {

    private static final int NUMBER = 60; // not used by other hosts
    private static final int ENDINGS = 7; // one per run
    private static final String WORKER = "%d:1000:16:3500:8";
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int TRIES = 5; // per command
    private static final Duration PAUSE = Duration.ofMillis(10);
    private static final String RINGS = "/memfd:";
    private static final long TOO_MANY_FILES = 24; // EMFILE
    private static final int EACH_TIME = 100;
    private static final long CLOSE_NANOS = 10_000_000; // after an answer
    private static final long DELAY_NANOS = 3_000_000; // a polling host polls every millisecond
    private static final int SLEEPS = 5; // during which answers arrive; delaying every sleep would take long

    private final RunPlan plan;
    private final RunProcesses processes;
    private final Observation seen;
    private final Consumer<String> others;
    private int descriptors;
    private long rings;
    private boolean ended;
    private boolean idle; // whether its contexts were idle at its exit
    private String lastReport = "(none)";

    /** {@code others} receives the lines of other hosts. */
    ResidentHost(RunPlan plan, RunProcesses processes, Observation seen, Consumer<String> others) {
        this.plan = plan;
        this.processes = processes;
        this.seen = seen;
        this.others = others;
    }

    /** Returns whether a run has a resident host. In other runs, the hosts start the worker. */
    static boolean isIn(RunPlan plan) {
        return plan.run() % 3 != 0;
    }

    /** Starts the host before any fault. */
    void begin() {
        var hosts = processes.hosts(HostKind.C);
        hosts.send("host run=%d number=%d kind=C seed=%d patience=%d ending=RESIDENT workers=%s"
                .formatted(
                        plan.run(),
                        NUMBER,
                        plan.run(),
                        MachineLoad.scale(PATIENCE).toMillis(),
                        (WORKER + "," + WORKER).formatted(Planner.RESIDENT, Planner.RESIDENT)));
        hosts.send("go");
        if (!isDone(await('h'))) {
            seen.afterwards.add("before any fault, a host was not served: " + lastReport);
            return;
        }
        var workers = ProcessInfo.children(processes.service().id());
        if (workers.size() == 1) {
            seen.residentWorker = workers.getFirst();
            descriptors = ProcessInfo.descriptors(seen.residentWorker).size();
            rings = ProcessInfo.mappings(seen.residentWorker, RINGS);
        }
    }

    /** Checks the worker after the other hosts have ended, and uses it again. */
    void finish() {
        if (seen.exited.isEmpty() && !seen.overdue && !ended && !mayBeDisconnected()) {
            var before = seen.afterwards.size();
            useAgain();
            if (mayBeDisconnected()) { // by a fault that occurred while the faults were disarmed
                seen.afterwards.subList(before, seen.afterwards.size()).clear();
            }
        }
        if (!ended) {
            send('e');
            await('e');
        }
    }

    private void useAgain() {
        checkWorker();
        send('p');
        if (!isDone(await('p'))) {
            seen.afterwards.add("after the run, without faults, a host was not served: " + lastReport);
        } else {
            checkNextEnding();
        }
    }

    private void checkNextEnding() {
        switch (plan.run() % ENDINGS) {
            case 0 -> rejectAtStart();
            case 1 -> killWithUnreadAnswers();
            case 2 -> readWhileDelayed();
            case 3 -> killAtStart();
            case 4 -> closeWhileFallingAsleep();
            case 5 -> answerWhileFallingAsleep();
            default -> closeWhileStopping();
        }
    }

    /** Returns whether a fault of the service may have prevented it from reporting the end of the worker. */
    private boolean mayBeDisconnected() {
        return processes.faults().events().stream()
                .anyMatch(event -> event.role() == FaultRole.DAEMON && FaultEffects.mayFail(event.action()));
    }

    private void send(char command) {
        processes.hosts(HostKind.C).send("resident " + command);
    }

    private static boolean isDone(Optional<KeyValueLine> words) {
        return words.filter(it -> it.number("ok") == 1).isPresent();
    }

    /** Waits for the report of a command; returns empty after a timeout or if the host exited. */
    private Optional<KeyValueLine> await(char command) {
        var end = System.nanoTime() + MachineLoad.scale(PATIENCE).toNanos() * TRIES;
        while (!ended && seen.exited.isEmpty() && System.nanoTime() < end) {
            processes.resumeStopped();
            var line = processes.next(PAUSE);
            if (line == null) {
                continue;
            }
            var words = KeyValueLine.parse(line);
            if (words.verb().equals("resident")) {
                lastReport = line;
                seen.note(line);
                if (words.text("did").charAt(0) == command) {
                    return Optional.of(words);
                }
            } else if (!isOwn(words)) {
                others.accept(line);
            }
        }
        return Optional.empty();
    }

    /** Returns whether a line is about this host, and records its exit. */
    boolean isOwn(KeyValueLine words) {
        if (!words.values().getOrDefault("number", "").equals(String.valueOf(NUMBER))) {
            return false;
        }
        if (words.verb().equals("result")) {
            idle = words.number("idle") == 1;
        }
        ended |= words.verb().equals("ended");
        return true;
    }

    /** Checks that the worker releases all resources of the other hosts. */
    private void checkWorker() {
        var end = System.nanoTime() + MachineLoad.scale(PATIENCE).toNanos();
        var found = leaks();
        while (!found.isEmpty() && System.nanoTime() < end) {
            processes.resumeStopped();
            LockSupport.parkNanos(PAUSE.toNanos());
            found = leaks();
        }
        found.forEach(what -> seen.afterwards.add("left over: in the shared worker: " + what));
    }

    private List<String> leaks() {
        if (seen.residentWorker == 0 || !ProcessInfo.isRunning(seen.residentWorker)) {
            return List.of();
        }
        var now = ProcessInfo.descriptors(seen.residentWorker);
        var mapped = ProcessInfo.mappings(seen.residentWorker, RINGS);
        if (now.size() > descriptors) {
            return List.of(now.size() + " descriptors instead of " + descriptors + ", " + Leftovers.counted(now));
        }
        return mapped > rings ? List.of(mapped + " mapped ring segments instead of " + rings) : commandsLeft();
    }

    /** Checks the counters of the worker: no command may be in flight. */
    private List<String> commandsLeft() {
        var process = RunningProcess.of(seen.residentWorker);
        if (process.isEmpty()) {
            return List.of();
        }
        try {
            var inFlight = CounterFile.ofWorker(
                            new CountedWorker(
                                    0, seen.residentWorker, process.get().start()),
                            process.get().userId())
                    .value(Counter.WORKER_IN_FLIGHT);
            return inFlight == 0 ? List.of() : List.of(inFlight + " commands of exited hosts");
        } catch (NoSuchFileException e) {
            return List.of(); // a fault prevented the creation of the counters
        } catch (IOException e) {
            return ProcessInfo.isRunning(seen.residentWorker)
                    ? List.of("unreadable counters: " + e.getMessage())
                    : List.of();
        }
    }

    /** Checks that answers published by a worker reach the host after the worker is killed. */
    private void killWithUnreadAnswers() {
        send('u');
        if (!isDone(await('u'))) {
            seen.afterwards.add("a sleeping host did not receive an answer: " + lastReport);
            return;
        }
        var worker = awaitIdle();
        if (worker == 0) {
            return;
        }
        seen.workerKilled = Signal.KILL.send(worker);
        seen.note("KILL of the worker with unread answers: process " + worker);
        send('r');
        if (!isDone(await('r'))) {
            seen.afterwards.add("answers that a worker published before it was killed are lost: " + lastReport);
        }
    }

    /**
     * Checks that published answers are readable immediately after the rings have wrapped, while the worker
     * is delayed.
     */
    private void readWhileDelayed() {
        send('l');
        if (!isDone(await('l'))) {
            seen.afterwards.add("a host was not served when the ring wrapped: " + lastReport);
            return;
        }
        var worker = awaitIdle();
        if (worker != 0 && !isDone(withFaults(worker, 'p', delay("ring_step_published"), delay("ring_published")))) {
            seen.afterwards.add("answers of a delayed worker were not read: " + lastReport);
        }
    }

    /** The connection is closed by a live worker after the host has submitted and is about to sleep. */
    private void closeWhileFallingAsleep() {
        var worker = awaitIdle();
        if (worker != 0
                && !isDone(withFaults(
                        worker,
                        'n',
                        new Fault(
                                FaultRole.WORKER,
                                point("ring_sleeping_for_data"),
                                FaultAction.DELAY,
                                List.of(CLOSE_NANOS),
                                0,
                                1),
                        Fault.once(FaultRole.WORKER, point("ring_armed"), FaultAction.DROP),
                        new Fault(
                                FaultRole.HOST,
                                point("host_command_sending"),
                                FaultAction.DELAY,
                                List.of(3 * CLOSE_NANOS),
                                1,
                                1)))) {
            seen.afterwards.add("a host did not wake up when its connection was closed: " + lastReport);
        }
    }

    /** Answers arrive after the host has polled for them and is about to sleep. */
    private void answerWhileFallingAsleep() {
        if (!isDone(withFaults(
                0,
                'p',
                new Fault(
                        FaultRole.HOST,
                        point("ring_sleeping_for_data"),
                        FaultAction.DELAY,
                        List.of(DELAY_NANOS),
                        0,
                        SLEEPS)))) {
            seen.afterwards.add("a host did not wake up when answers arrived: " + lastReport);
        }
    }

    /** The connection to the service is closed while the host releases its worker and stops. */
    private void closeWhileStopping() {
        withFaults(0, 'e', Fault.once(FaultRole.HOST, point("host_release_sent"), FaultAction.DROP));
        if (ended && !idle) {
            seen.afterwards.add("a context did not become idle: its connection was closed while it stopped");
        }
    }

    private static Fault delay(String point) {
        return new Fault(FaultRole.WORKER, point(point), FaultAction.DELAY, List.of(DELAY_NANOS), 0, EACH_TIME);
    }

    /** A start whose worker dies during the start receives another worker. */
    private void killAtStart() {
        var worker = awaitIdle();
        seen.workerKilled = worker != 0;
        if (worker != 0
                && !isDone(withFaults(
                        worker, 's', Fault.once(FaultRole.WORKER, point("worker_ticket_shown"), FaultAction.KILL)))) {
            seen.afterwards.add("a start failed when its worker died: " + lastReport);
        }
    }

    /** A host that a worker rejects for lack of descriptors leaves no resources in the worker. */
    private void rejectAtStart() {
        if (seen.residentWorker != 0 && awaitIdle() == seen.residentWorker) {
            seen.workerKilled = true;
            withFaults(
                    seen.residentWorker,
                    's',
                    new Fault(
                            FaultRole.WORKER,
                            point("channel_epoll_make"),
                            FaultAction.FAIL,
                            List.of(TOO_MANY_FILES),
                            0,
                            EACH_TIME));
            checkWorker();
        }
    }

    /** Executes a command with faults armed for a worker or for the host; returns the report. */
    private Optional<KeyValueLine> withFaults(long worker, char command, Fault... faults) {
        var before = processes.faults().events().size();
        for (var fault : faults) {
            processes.faults().arm(fault, fault.role() == FaultRole.WORKER ? (int) worker : 0);
        }
        send(command);
        var answer = await(command);
        for (var fault : faults) {
            processes.faults().disarm(fault.point());
        }
        var events = processes.faults().events();
        seen.staged.addAll(events.subList(Math.min(before, events.size()), events.size()));
        return answer;
    }

    private static FaultPoint point(String name) {
        return FaultPoints.read().find(name).orElseThrow();
    }

    /** Waits until the only worker is idle; returns its process, or 0 after a timeout. */
    private long awaitIdle() {
        var end = System.nanoTime() + MachineLoad.scale(PATIENCE).toNanos();
        var before = "";
        while (System.nanoTime() < end) {
            var workers = ProcessInfo.children(processes.service().id());
            var now = workers.size() == 1 ? ProcessInfo.sleep(workers.getFirst()) : "";
            if (!now.isEmpty() && now.equals(before)) {
                return workers.getFirst();
            }
            before = now;
            LockSupport.parkNanos(PAUSE.toNanos());
        }
        return 0;
    }
}
