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
import dev.jurom.proof.runs.plan.Planner;
import dev.jurom.proof.runs.plan.RunPlan;
import dev.jurom.proof.runs.plan.Words;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * A C host that has the worker which hosts share from before a run until after it. What the run
 * leaves behind in that worker is seen by it, and whether whoever comes later is served.
 */
final class Keeper {

    private static final int NUMBER = 60; // of no host
    private static final int ENDINGS = 7; // one of them a run
    private static final String WORKER = "%d:1000:16:3500:8";
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int TRIES = 5; // for each thing that it is told
    private static final Duration PAUSE = Duration.ofMillis(10);
    private static final String RINGS = "/memfd:";
    private static final long TOO_MANY_FILES = 24; // EMFILE
    private static final int EACH_TIME = 100;
    private static final long CUT_OFF_NANOS = 10_000_000; // after an answer
    private static final long HELD_NANOS = 3_000_000; // who looks does so each millisecond
    private static final int SLEEPS = 5; // in which answers come: each time would take long

    private final RunPlan plan;
    private final Crew crew;
    private final Observation seen;
    private final Consumer<String> others;
    private int descriptors;
    private long rings;
    private boolean ended;
    private boolean idle; // its contexts, at its end
    private String said = "nothing"; // last

    /** {@code others}: takes the lines that are not its own. */
    Keeper(RunPlan plan, Crew crew, Observation seen, Consumer<String> others) {
        this.plan = plan;
        this.crew = crew;
        this.seen = seen;
        this.others = others;
    }

    /** Whether a run has one: the others have to start the worker themselves. */
    static boolean isIn(RunPlan plan) {
        return plan.run() % 3 != 0;
    }

    /** Has it start, before anything happens to anybody. */
    void begin() {
        var hosts = crew.hosts(HostKind.C);
        hosts.tell("host run=%d number=%d kind=C seed=%d patience=%d ending=KEEPS workers=%s"
                .formatted(
                        plan.run(),
                        NUMBER,
                        plan.run(),
                        MachineLoad.allows(PATIENCE).toMillis(),
                        (WORKER + "," + WORKER).formatted(Planner.RESIDENT, Planner.RESIDENT)));
        hosts.tell("go");
        if (!isDone(await('h'))) {
            seen.afterwards.add("before any fault, a host is not served: " + said);
            return;
        }
        var workers = ProcessFacts.children(crew.service().id());
        if (workers.size() == 1) {
            seen.kept = workers.getFirst();
            descriptors = ProcessFacts.descriptors(seen.kept).size();
            rings = ProcessFacts.mappings(seen.kept, RINGS);
        }
    }

    /** Looks at the worker when the others have ended, and has it used once more. */
    void finish() {
        if (seen.gone.isEmpty() && !seen.overdue && !ended && !mayBeCutOff()) {
            var before = seen.afterwards.size();
            useAgain();
            if (mayBeCutOff()) { // by a fault that was under way when all were taken back
                seen.afterwards.subList(before, seen.afterwards.size()).clear();
            }
        }
        if (!ended) {
            tell('e');
            await('e');
        }
    }

    private void useAgain() {
        lookAtWorker();
        tell('p');
        if (!isDone(await('p'))) {
            seen.afterwards.add("after the run, when there are no faults any more, a host is" + " not served: " + said);
        } else {
            finishByTurns();
        }
    }

    private void finishByTurns() {
        switch (plan.run() % ENDINGS) {
            case 0 -> refuseAtStart();
            case 1 -> killWithAnswersUnread();
            case 2 -> readWhileHeld();
            case 3 -> killAtStart();
            case 4 -> sleepBesideEnd();
            case 5 -> sleepBesideAnswer();
            default -> stopBesideEnd();
        }
    }

    /** The service may have failed when it told this host that the worker had ended. */
    private boolean mayBeCutOff() {
        return crew.faults().events().stream()
                .anyMatch(event -> event.role() == FaultRole.DAEMON && FaultEffects.mayFail(event.action()));
    }

    private void tell(char letter) {
        crew.hosts(HostKind.C).tell("tell " + letter);
    }

    private static boolean isDone(Optional<Words> words) {
        return words.filter(it -> it.number("ok") == 1).isPresent();
    }

    /** What it says when it has done that; nothing if it does not, or has ended. */
    private Optional<Words> await(char letter) {
        var end = System.nanoTime() + MachineLoad.allows(PATIENCE).toNanos() * TRIES;
        while (!ended && seen.gone.isEmpty() && System.nanoTime() < end) {
            crew.resumeStopped();
            var line = crew.next(PAUSE);
            if (line == null) {
                continue;
            }
            var words = Words.parse(line);
            if (words.verb().equals("keeper")) {
                said = line;
                seen.note(line);
                if (words.text("did").charAt(0) == letter) {
                    return Optional.of(words);
                }
            } else if (!isOwn(words)) {
                others.accept(line);
            }
        }
        return Optional.empty();
    }

    /** Whether that line is about it; notes when it has ended. */
    boolean isOwn(Words words) {
        if (!words.values().getOrDefault("number", "").equals(String.valueOf(NUMBER))) {
            return false;
        }
        if (words.verb().equals("result")) {
            idle = words.number("idle") == 1;
        }
        ended |= words.verb().equals("ended");
        return true;
    }

    /** It has what it had with this host alone, when the others have had time to go. */
    private void lookAtWorker() {
        var end = System.nanoTime() + MachineLoad.allows(PATIENCE).toNanos();
        var found = look();
        while (!found.isEmpty() && System.nanoTime() < end) {
            crew.resumeStopped();
            LockSupport.parkNanos(PAUSE.toNanos());
            found = look();
        }
        found.forEach(what -> seen.afterwards.add("left over: in the worker that they shared: " + what));
    }

    private List<String> look() {
        if (seen.kept == 0 || !ProcessFacts.lives(seen.kept)) {
            return List.of();
        }
        var now = ProcessFacts.descriptors(seen.kept);
        var mapped = ProcessFacts.mappings(seen.kept, RINGS);
        if (now.size() > descriptors) {
            return List.of(now.size() + " descriptors instead of " + descriptors + ", " + LeftOvers.counted(now));
        }
        return mapped > rings ? List.of(mapped + " parts of rings instead of " + rings) : counts();
    }

    /** The counters of the worker: no command of any host but this can be in flight. */
    private List<String> counts() {
        var process = RunningProcess.of(seen.kept);
        if (process.isEmpty()) {
            return List.of();
        }
        try {
            var inFlight = CounterFile.ofWorker(
                            new CountedWorker(0, seen.kept, process.get().start()),
                            process.get().userId())
                    .value(Counter.WORKER_IN_FLIGHT);
            return inFlight == 0 ? List.of() : List.of(inFlight + " commands without a host");
        } catch (NoSuchFileException e) {
            return List.of(); // a fault kept it from counting
        } catch (IOException e) {
            return ProcessFacts.lives(seen.kept)
                    ? List.of("counters that cannot be read: " + e.getMessage())
                    : List.of();
        }
    }

    /** What a worker has published is its host's, when it is killed, too. */
    private void killWithAnswersUnread() {
        tell('u');
        if (!isDone(await('u'))) {
            seen.afterwards.add("no answer comes to a host that sleeps: " + said);
            return;
        }
        var worker = awaitAsleep();
        if (worker == 0) {
            return;
        }
        seen.struck = Signal.KILL.send(worker);
        seen.note("KILL of the worker, whose answers are not read: process " + worker);
        tell('r');
        if (!isDone(await('r'))) {
            seen.afterwards.add("what a worker had published before it was killed is lost: " + said);
        }
    }

    /**
     * When the rings have been gone round, what has been published is sound at once: a worker that
     * is held up then does nothing for it any more.
     */
    private void readWhileHeld() {
        tell('l');
        if (!isDone(await('l'))) {
            seen.afterwards.add("a host that has its commands go round the ring is not served: " + said);
            return;
        }
        var worker = awaitAsleep();
        if (worker != 0 && !isDone(beside(worker, 'p', held("ring_step_published"), held("ring_published")))) {
            seen.afterwards.add("answers of a worker that is held up are not read: " + said);
        }
    }

    /** Its connection ends, though the worker lives, when it has submitted and is to sleep. */
    private void sleepBesideEnd() {
        var worker = awaitAsleep();
        if (worker != 0
                && !isDone(beside(
                        worker,
                        'n',
                        new Fault(
                                FaultRole.WORKER,
                                point("ring_sleeping_for_data"),
                                FaultAction.DELAY,
                                List.of(CUT_OFF_NANOS),
                                0,
                                1),
                        Fault.once(FaultRole.WORKER, point("ring_armed"), FaultAction.DROP),
                        new Fault(
                                FaultRole.HOST,
                                point("host_command_sending"),
                                FaultAction.DELAY,
                                List.of(3 * CUT_OFF_NANOS),
                                1,
                                1)))) {
            seen.afterwards.add("a host sleeps on when its connection has ended: " + said);
        }
    }

    /** Its answers come when it has looked for them and is to sleep. */
    private void sleepBesideAnswer() {
        if (!isDone(beside(
                0,
                'p',
                new Fault(
                        FaultRole.HOST,
                        point("ring_sleeping_for_data"),
                        FaultAction.DELAY,
                        List.of(HELD_NANOS),
                        0,
                        SLEEPS)))) {
            seen.afterwards.add("a host sleeps on though its answers have come: " + said);
        }
    }

    /** Its connection to the service ends when it gives its worker back, and is to stop. */
    private void stopBesideEnd() {
        beside(0, 'e', Fault.once(FaultRole.HOST, point("host_release_sent"), FaultAction.DROP));
        if (ended && !idle) {
            seen.afterwards.add("a context does not become idle: its connection ended as it" + " stopped");
        }
    }

    private static Fault held(String point) {
        return new Fault(FaultRole.WORKER, point(point), FaultAction.DELAY, List.of(HELD_NANOS), 0, EACH_TIME);
    }

    /** A start that is given a worker which dies of it is given another. */
    private void killAtStart() {
        var worker = awaitAsleep();
        seen.struck = worker != 0;
        if (worker != 0
                && !isDone(beside(
                        worker, 's', Fault.once(FaultRole.WORKER, point("worker_ticket_shown"), FaultAction.KILL)))) {
            seen.afterwards.add("a start fails when the worker dies that it was given: " + said);
        }
    }

    /** A host that a worker has no descriptor for leaves nothing behind in it. */
    private void refuseAtStart() {
        if (seen.kept != 0 && awaitAsleep() == seen.kept) {
            seen.struck = true;
            beside(
                    seen.kept,
                    's',
                    new Fault(
                            FaultRole.WORKER,
                            point("channel_epoll_make"),
                            FaultAction.FAIL,
                            List.of(TOO_MANY_FILES),
                            0,
                            EACH_TIME));
            lookAtWorker();
        }
    }

    /** Has it do something beside faults of a worker, if there is one, or its own; what it says. */
    private Optional<Words> beside(long worker, char letter, Fault... faults) {
        var before = crew.faults().events().size();
        for (var fault : faults) {
            crew.faults().arm(fault, fault.role() == FaultRole.WORKER ? (int) worker : 0);
        }
        tell(letter);
        var answer = await(letter);
        for (var fault : faults) {
            crew.faults().disarm(fault.point());
        }
        var events = crew.faults().events();
        seen.staged.addAll(events.subList(Math.min(before, events.size()), events.size()));
        return answer;
    }

    private static FaultPoint point(String name) {
        return FaultPoints.read().find(name).orElseThrow();
    }

    /** The one worker that there is, when it has nothing left to do; 0: that cannot be seen. */
    private long awaitAsleep() {
        var end = System.nanoTime() + MachineLoad.allows(PATIENCE).toNanos();
        var before = "";
        while (System.nanoTime() < end) {
            var workers = ProcessFacts.children(crew.service().id());
            var now = workers.size() == 1 ? ProcessFacts.sleep(workers.getFirst()) : "";
            if (!now.isEmpty() && now.equals(before)) {
                return workers.getFirst();
            }
            before = now;
            LockSupport.parkNanos(PAUSE.toNanos());
        }
        return 0;
    }
}
