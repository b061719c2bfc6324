// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.job;

import dev.jurom.proof.faults.Fault;
import dev.jurom.proof.faults.FaultAction;
import dev.jurom.proof.faults.FaultEvent;
import dev.jurom.proof.faults.FaultRole;
import dev.jurom.proof.runs.host.HostError;
import dev.jurom.proof.runs.host.HostResult;
import dev.jurom.proof.runs.plan.HostKind;
import dev.jurom.proof.runs.plan.HostPlan;
import dev.jurom.proof.runs.plan.KeyValueLine;
import dev.jurom.proof.runs.plan.PlannedSignal;
import dev.jurom.proof.runs.plan.RunPlan;
import dev.jurom.proof.runs.plan.SignalTarget;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;

/** Executes a run: starts the hosts, sends signals, and receives the output of the hosts. */
final class LiveRun {

    private static final Duration DEADLINE = Duration.ofSeconds(120);

    private static final String SERVICE = "service";
    private static final long STOP_CHECK_NANOS = 5_000_000;
    private static final long RESUME_NANOS = 30_000_000;

    private final RunPlan plan;
    private final RunProcesses processes;
    private final Observation observed = new Observation();
    private final ResidentHost residentHost;
    private final Queue<PlannedSignal> signals;
    private final Queue<Resume> resumes = new PriorityQueue<>(Comparator.comparing(Resume::at));
    private final boolean stops;
    private final Map<FaultEvent, Long> stopped = new HashMap<>(); // times at which the stops were detected
    private long begin;

    /** A process to resume, and the time in nanoseconds. */
    private record Resume(long at, long process) {}

    private LiveRun(RunPlan plan, RunProcesses processes) {
        this.plan = plan;
        this.processes = processes;
        this.residentHost = new ResidentHost(plan, processes, observed, this::take);
        this.stops = plan.faults().stream().map(Fault::action).anyMatch(FaultAction.STOP::equals);
        this.signals = new ArrayDeque<>(plan.signals().stream()
                .sorted(Comparator.comparing(PlannedSignal::after))
                .toList());
    }

    /** Executes a run. */
    static Observation run(RunPlan plan, RunProcesses processes) {
        var run = new LiveRun(plan, processes);
        if (ResidentHost.isIn(plan)) {
            run.residentHost.begin();
        }
        run.prepare();
        run.runHosts();
        run.resumes.forEach(left -> Signal.CONT.send(left.process));
        plan.faults().forEach(fault -> processes.faults().disarm(fault.point()));
        run.awaitKilledService(); // the faults are disarmed, so none kills it later
        run.observed.javaHosts = processes.javaHosts().id();
        if (ResidentHost.isIn(plan)) {
            run.residentHost.finish();
        }
        return run.observed;
    }

    /** Forks the C hosts before the others start, so that faults can be armed for their processes. */
    private void prepare() {
        plan.hosts()
                .forEach(host -> processes
                        .hosts(host.kind())
                        .send(host.withTimeout(MachineLoad.scale(host.timeout()))
                                .line()));
        plan.members()
                .forEach(host -> observed.addEvent("host " + host.number() + " (" + host.kind() + ") is member "
                        + host.domain().orElseThrow().index() + " of the domain"));
        var forked =
                plan.hosts().stream().filter(host -> host.kind().isProcess()).count();
        while (observed.processes.size() < forked && !observed.overdue) {
            take(processes.next(DEADLINE));
        }
        var kinds = EnumSet.noneOf(HostKind.class);
        plan.hosts().stream().map(HostPlan::kind).forEach(kinds::add);
        arm();
        begin = System.nanoTime();
        observed.addEvent("go");
        kinds.stream().map(processes::hosts).distinct().forEach(hosts -> hosts.send("go"));
    }

    /** Arms the faults. A fault that ends or stops a host is armed for one C host only. */
    private void arm() {
        var process =
                observed.processes.values().stream().findFirst().orElse(0L).intValue();
        for (var fault : plan.faults()) {
            var one = fault.role() == FaultRole.HOST && FaultEffects.isDeadly(fault.action());
            processes.faults().arm(fault, one ? process : 0);
        }
    }

    private void runHosts() {
        var end = begin + MachineLoad.scale(DEADLINE).toNanos();
        while (!isOver() && !observed.overdue && observed.broken.isEmpty()) {
            sendAndResume();
            var due = Math.min(Math.min(end, nextSignal()), Math.min(nextResume(), nextStopCheck()));
            var line = processes.next(Duration.ofNanos(due - System.nanoTime()));
            if (line != null) {
                take(line);
            } else if (System.nanoTime() >= end) {
                take(null);
            }
        }
        observed.took = Duration.ofNanos(System.nanoTime() - begin);
    }

    /** Waits until a killed service has exited, since hosts may detect its end earlier. */
    private void awaitKilledService() {
        var killed = observed.applied.stream()
                        .map(SentSignal::signal)
                        .anyMatch(signal -> signal.kills() && signal.target() == SignalTarget.DAEMON)
                || processes.faults().events().stream()
                        .anyMatch(event -> event.role() == FaultRole.DAEMON && event.action() == FaultAction.KILL);
        while (killed && !observed.exited.contains(SERVICE) && !observed.overdue) {
            take(processes.next(DEADLINE));
        }
    }

    private boolean isOver() {
        return plan.hosts().stream()
                .allMatch(host -> observed.ended.containsKey(host.number())
                        || observed.exited.contains(host.kind().isProcess() ? "c-hosts" : "java-hosts"));
    }

    private long nextSignal() {
        return signals.isEmpty()
                ? Long.MAX_VALUE
                : begin + signals.peek().after().toNanos();
    }

    private long nextResume() {
        return resumes.isEmpty() ? Long.MAX_VALUE : resumes.peek().at;
    }

    /** Returns the time of the next check for processes stopped by faults. */
    private long nextStopCheck() {
        return stops ? System.nanoTime() + STOP_CHECK_NANOS : Long.MAX_VALUE;
    }

    /**
     * Resumes stopped processes. A process records the stop before it stops, so SIGCONT is sent repeatedly:
     * the first one may arrive too early.
     */
    private void resumeStopped() {
        var now = System.nanoTime();
        processes.faults().events().stream()
                .filter(event -> event.action() == FaultAction.STOP)
                .filter(event -> now - stopped.computeIfAbsent(event, first -> now) >= RESUME_NANOS)
                .forEach(event -> Signal.CONT.send(event.process()));
    }

    private void sendAndResume() {
        if (stops) {
            resumeStopped();
        }
        var now = System.nanoTime();
        while (nextSignal() <= now) {
            send(signals.remove());
        }
        while (nextResume() <= now) {
            Signal.CONT.send(resumes.remove().process);
        }
    }

    private void send(PlannedSignal planned) {
        var process = target(planned);
        if (process == 0) {
            return;
        }
        var signal = planned.kills() ? Signal.KILL : Signal.STOP;
        var sent = System.nanoTime();
        if (signal.send(process)) {
            observed.applied.add(new SentSignal(planned, process, sent));
            observed.addEvent(planned + ": process " + process);
            if (!planned.kills()) {
                resumes.add(new Resume(System.nanoTime() + planned.stopped().toNanos(), process));
            }
        }
    }

    /** Returns the target process, or 0 if there is none. */
    private long target(PlannedSignal signal) {
        switch (signal.target()) {
            case DAEMON:
                observed.workers.addAll(ProcessInfo.workers(processes.service().id()));
                return processes.service().id();
            case WORKER:
                var workers = ProcessInfo.workers(processes.service().id());
                return workers.isEmpty() ? 0 : workers.get(signal.index() % workers.size());
            default:
                return observed.ended.containsKey(signal.index())
                        ? 0
                        : observed.processes.getOrDefault(signal.index(), 0L);
        }
    }

    private void take(String line) {
        if (line == null) {
            observed.overdue = true;
            observed.addEvent("the run timed out");
            return;
        }
        observed.addEvent(line);
        var words = KeyValueLine.parse(line);
        if (residentHost.isOwn(words)) {
            return;
        }
        switch (words.verb()) {
            case "pid" -> observed.processes.put(words.number("number"), (long) words.number("pid"));
            case "result" -> {
                var result = HostResult.parse(words);
                if (result.run() == plan.run()) {
                    observed.results.put(result.number(), result);
                }
            }
            case "error" -> {
                if (words.number("run") == plan.run()) {
                    var error = HostError.parse(words);
                    observed.errors
                            .computeIfAbsent(error.number(), number -> new ArrayList<>())
                            .add(error);
                }
            }
            case "accepted-again" -> observed.tickets.add(words);
            case "closed-by-worker" -> observed.closedConnections.add(words);
            case "broken" -> {
                if (words.number("run") == plan.run()) {
                    observed.broken.add(line);
                }
            }
            case "ended" -> observed.ended.put(words.number("number"), words.number("status"));
            case "exited" -> {
                if (processes.isExitOfCurrent(line)) {
                    observed.exited.add(words.text("name"));
                }
            }
            default -> {} // a message for the history only
        }
    }
}
