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
import dev.jurom.proof.runs.plan.Victim;
import dev.jurom.proof.runs.plan.Words;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;

/** A run while it goes on: starts the hosts, sends signals in time, and takes what hosts say. */
final class LiveRun {

    private static final Duration DEADLINE = Duration.ofSeconds(120);

    private static final String SERVICE = "service";
    private static final long LOOK_NANOS = 5_000_000;
    private static final long STOPPED_NANOS = 30_000_000;

    private final RunPlan plan;
    private final Crew crew;
    private final Observation seen = new Observation();
    private final ExchangeFolder exchange;
    private final Keeper keeper;
    private final Queue<Blow> blows;
    private final Queue<Resume> resumes = new PriorityQueue<>(Comparator.comparing(Resume::at));
    private final boolean stops;
    private final Map<FaultEvent, Long> stopped = new HashMap<>(); // when it was seen
    private long begin;

    /** A process that is to go on, and when. */
    private record Resume(long at, long process) {}

    private LiveRun(RunPlan plan, Crew crew) {
        this.plan = plan;
        this.crew = crew;
        this.exchange = ExchangeFolder.in(crew.directory());
        this.keeper = new Keeper(plan, crew, seen, this::take);
        this.stops = plan.faults().stream().map(Fault::action).anyMatch(FaultAction.STOP::equals);
        this.blows = new ArrayDeque<>(
                plan.blows().stream().sorted(Comparator.comparing(Blow::after)).toList());
    }

    /** Runs it to its end. */
    static Observation run(RunPlan plan, Crew crew) {
        var run = new LiveRun(plan, crew);
        if (Keeper.isIn(plan)) {
            run.keeper.begin();
        }
        run.prepare();
        run.goOn();
        run.awaitKilledService();
        run.resumes.forEach(left -> Signal.CONT.send(left.process));
        plan.faults().forEach(fault -> crew.faults().disarm(fault.point()));
        run.exchange.clear();
        if (Keeper.isIn(plan)) {
            run.keeper.finish();
        }
        return run.seen;
    }

    /** C hosts are processes before the others begin, so that faults can be theirs alone. */
    private void prepare() {
        exchange.clear();
        plan.hosts()
                .forEach(host -> crew.hosts(host.kind())
                        .tell(host.withPatience(MachineLoad.allows(host.patience()))
                                .line()));
        plan.members()
                .forEach(host -> seen.note("host " + host.number() + " (" + host.kind() + ") is member "
                        + host.domain().orElseThrow().index() + " of the domain"));
        var forked =
                plan.hosts().stream().filter(host -> host.kind() == HostKind.C).count();
        while (seen.processes.size() < forked && !seen.overdue) {
            take(crew.next(DEADLINE));
        }
        var kinds = EnumSet.noneOf(HostKind.class);
        plan.hosts().stream()
                .map(HostPlan::kind)
                .map(kind -> kind == HostKind.C ? kind : HostKind.EXPLICIT)
                .forEach(kinds::add);
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
        var end = begin + MachineLoad.allows(DEADLINE).toNanos();
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

    /** The kernel may take longer to end it than hosts take to give it up. */
    private void awaitKilledService() {
        var killed = seen.applied.stream()
                        .map(Applied::blow)
                        .anyMatch(blow -> blow.kills() && blow.victim() == Victim.DAEMON)
                || crew.faults().events().stream()
                        .anyMatch(event -> event.role() == FaultRole.DAEMON && event.action() == FaultAction.KILL);
        while (killed && !seen.gone.contains(SERVICE) && !seen.overdue) {
            take(crew.next(DEADLINE));
        }
    }

    private boolean isOver() {
        return plan.hosts().stream()
                .allMatch(host -> seen.ended.containsKey(host.number())
                        || seen.gone.contains(crew.hosts(host.kind()) == crew.javaHosts() ? "java-hosts" : "c-hosts"));
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

    /**
     * Who is stopped says so before it is: it is told to go on again and again, for the first time
     * may come too early.
     */
    private void lookForStopped() {
        var now = System.nanoTime();
        crew.faults().events().stream()
                .filter(event -> event.action() == FaultAction.STOP)
                .filter(event -> now - stopped.computeIfAbsent(event, first -> now) >= STOPPED_NANOS)
                .forEach(event -> Signal.CONT.send(event.process()));
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
                return seen.ended.containsKey(blow.place()) ? 0 : seen.processes.getOrDefault(blow.place(), 0L);
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
        if (keeper.isOwn(words)) {
            return;
        }
        switch (words.verb()) {
            case "pid" -> seen.processes.put(words.number("number"), (long) words.number("pid"));
            case "result" -> {
                var result = HostResult.parse(words);
                if (result.run() == plan.run()) {
                    seen.results.put(result.number(), result);
                }
            }
            case "let-in-again" -> seen.tickets.add(words);
            case "ended-by-worker" -> seen.cuts.add(words);
            case "broken" -> {
                if (words.number("run") == plan.run()) {
                    seen.broken.add(line);
                }
            }
            case "ended" -> end(words.number("number"), words.number("status"));
            case "gone" -> {
                if (crew.tellsEnd(line)) {
                    seen.gone.add(words.text("name"));
                }
            }
            default -> {} // a program's own remark: it is in the history
        }
    }

    private void end(int number, int status) {
        seen.ended.put(number, status);
        plan.members().stream()
                .filter(host -> host.number() == number)
                .forEach(host -> exchange.tellGone(
                        plan.run(), host.domain().orElseThrow().index()));
    }
}
