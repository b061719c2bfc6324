// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.job;

import dev.jurom.proof.faults.Fault;
import dev.jurom.proof.faults.FaultAction;
import dev.jurom.proof.faults.FaultEvent;
import dev.jurom.proof.faults.FaultRole;
import dev.jurom.proof.runs.host.HostResult;
import dev.jurom.proof.runs.plan.Blow;
import dev.jurom.proof.runs.plan.HostKind;
import dev.jurom.proof.runs.plan.HostPlan;
import dev.jurom.proof.runs.plan.RunPlan;
import dev.jurom.proof.runs.plan.Words;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;

/** A run while it goes on: starts the hosts, sends signals in time, and takes what hosts say. */
final class LiveRun {

    private static final Duration DEADLINE = Duration.ofSeconds(120);

    private static final long LOOK_NANOS = 5_000_000;
    private static final long STOPPED_NANOS = 30_000_000;

    private final RunPlan plan;
    private final Crew crew;
    private final Observation seen = new Observation();
    private final Queue<Blow> blows;
    private final Queue<Resume> resumes =
            new PriorityQueue<>(Comparator.comparing(Resume::at));
    private final boolean stops;
    private final Set<FaultEvent> stopped = new HashSet<>();
    private long begin;

    /** A process that is to go on, and when. */
    private record Resume(long at, long process) {
    }

    private LiveRun(RunPlan plan, Crew crew) {
        this.plan = plan;
        this.crew = crew;
        this.stops = plan.faults().stream().map(Fault::action).anyMatch(FaultAction.STOP::equals);
        this.blows = new ArrayDeque<>(plan.blows().stream()
                .sorted(Comparator.comparing(Blow::after)).toList());
    }

    /** Runs it to its end. */
    static Observation run(RunPlan plan, Crew crew) {
        var run = new LiveRun(plan, crew);
        run.prepare();
        run.goOn();
        run.resumes.forEach(left -> Signal.CONT.send(left.process));
        plan.faults().forEach(fault -> crew.faults().disarm(fault.point()));
        return run.seen;
    }

    /** C hosts are processes before the others begin, so that faults can be theirs alone. */
    private void prepare() {
        plan.hosts().forEach(host -> crew.hosts(host.kind()).tell(host.line()));
        var forked = plan.hosts().stream().filter(host -> host.kind() == HostKind.C).count();
        while (seen.processes.size() < forked && !seen.overdue) {
            take(crew.next(DEADLINE));
        }
        var kinds = EnumSet.noneOf(HostKind.class);
        plan.hosts().stream().map(HostPlan::kind)
                .map(kind -> kind == HostKind.C ? kind : HostKind.EXPLICIT).forEach(kinds::add);
        arm();
        begin = System.nanoTime();
        seen.note("go");
        kinds.forEach(kind -> crew.hosts(kind).tell("go"));
    }

    /** What ends a host or has it stand still is for one that is a process of its own. */
    private void arm() {
        var process = seen.processes.values().stream().findFirst().orElse(0L).intValue();
        for (var fault : plan.faults()) {
            var one = fault.role() == FaultRole.HOST && FaultEffects.isDeadly(fault.action());
            crew.faults().arm(fault, one ? process : 0);
        }
    }

    private void goOn() {
        var end = begin + DEADLINE.toNanos();
        while (!isOver() && !seen.overdue && seen.broken.isEmpty()) {
            hitAndResume();
            var due = Math.min(Math.min(end, nextBlow()), Math.min(nextResume(), nextLook()));
            var line = crew.next(Duration.ofNanos(due - System.nanoTime()));
            if (line != null) {
                take(line);
            } else if (System.nanoTime() >= end) {
                take(null);
            }
        }
        seen.took = Duration.ofNanos(System.nanoTime() - begin);
    }

    private boolean isOver() {
        return plan.hosts().stream().allMatch(host -> seen.ended.containsKey(host.number())
                || seen.gone.contains(crew.hosts(host.kind()) == crew.javaHosts()
                        ? "java-hosts" : "c-hosts"));
    }

    private long nextBlow() {
        return blows.isEmpty() ? Long.MAX_VALUE : begin + blows.peek().after().toNanos();
    }

    private long nextResume() {
        return resumes.isEmpty() ? Long.MAX_VALUE : resumes.peek().at;
    }

    /** Whether faults have stopped somebody can only be looked at. */
    private long nextLook() {
        return stops ? System.nanoTime() + LOOK_NANOS : Long.MAX_VALUE;
    }

    private void lookForStopped() {
        for (var event : crew.faults().events()) {
            if (event.action() == FaultAction.STOP && stopped.add(event)) {
                resumes.add(new Resume(System.nanoTime() + STOPPED_NANOS, event.process()));
            }
        }
    }

    private void hitAndResume() {
        if (stops) {
            lookForStopped();
        }
        var now = System.nanoTime();
        while (nextBlow() <= now) {
            hit(blows.remove());
        }
        while (nextResume() <= now) {
            Signal.CONT.send(resumes.remove().process);
        }
    }

    private void hit(Blow blow) {
        var process = victim(blow);
        if (process == 0) {
            return;
        }
        var signal = blow.kills() ? Signal.KILL : Signal.STOP;
        if (signal.send(process)) {
            seen.applied.add(new Applied(blow, process));
            seen.note(blow + ": process " + process);
            if (!blow.kills()) {
                resumes.add(new Resume(System.nanoTime() + blow.stopped().toNanos(), process));
            }
        }
    }

    /** The process that is hit; 0 if there is none just now. */
    private long victim(Blow blow) {
        switch (blow.victim()) {
            case DAEMON:
                seen.workers.addAll(ProcessFacts.children(crew.service().id()));
                return crew.service().id();
            case WORKER:
                var workers = ProcessFacts.children(crew.service().id());
                return workers.isEmpty() ? 0 : workers.get(blow.place() % workers.size());
            default:
                return seen.ended.containsKey(blow.place()) ? 0
                        : seen.processes.getOrDefault(blow.place(), 0L);
        }
    }

    private void take(String line) {
        if (line == null) {
            seen.overdue = true;
            seen.note("the run is overdue");
            return;
        }
        seen.note(line);
        var words = Words.parse(line);
        switch (words.verb()) {
            case "pid" -> seen.processes.put(words.number("number"), (long) words.number("pid"));
            case "result" -> {
                var result = HostResult.parse(words);
                if (result.run() == plan.run()) {
                    seen.results.put(result.number(), result);
                }
            }
            case "broken" -> {
                if (words.number("run") == plan.run()) {
                    seen.broken.add(line);
                }
            }
            case "ended" -> seen.ended.put(words.number("number"), words.number("status"));
            case "gone" -> {
                if (crew.tellsEnd(line)) {
                    seen.gone.add(words.text("name"));
                }
            }
            default -> { } // a program's own remark: it is in the history
        }
    }
}
