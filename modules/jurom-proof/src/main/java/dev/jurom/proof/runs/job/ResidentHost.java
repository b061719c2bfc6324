// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.job;

import dev.jurom.proof.faults.FaultRole;
import dev.jurom.proof.runs.plan.HostKind;
import dev.jurom.proof.runs.plan.KeyValueLine;
import dev.jurom.proof.runs.plan.Planner;
import dev.jurom.proof.runs.plan.RunPlan;
import dev.jurom.service.counters.CountedWorker;
import dev.jurom.service.counters.Counter;
import dev.jurom.service.counters.CounterFile;
import dev.jurom.service.linux.RunningProcess;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * A C host that uses the shared worker from before a run until after it. It detects resources that the run
 * leaves in that worker, and a worker that no longer serves hosts.
 */
final class ResidentHost {

    private static final int NUMBER = 60; // not used by other hosts
    private static final String WORKER = "%d:1000:16:3500:8:worker_graph";
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int ATTEMPTS = 5; // per command
    private static final Duration PAUSE = Duration.ofMillis(10);
    private static final int MAX_GROWTH = 16 << 10; // KiB
    private static final String RINGS = "/memfd:";

    private final RunPlan plan;
    private final RunProcesses processes;
    private final Observation observed;
    private final Consumer<String> others;
    private int descriptors;
    private long rings;
    private long memory; // KiB
    private boolean ended;
    private boolean idle; // all contexts were idle at its exit
    private String lastReport = "(none)";

    /**
     * Creates the host without starting it.
     *
     * @param others the consumer of the lines of other hosts
     */
    ResidentHost(RunPlan plan, RunProcesses processes, Observation observed, Consumer<String> others) {
        this.plan = plan;
        this.processes = processes;
        this.observed = observed;
        this.others = others;
    }

    /** Returns whether a run has a resident host. Otherwise, the other hosts start the shared worker. */
    static boolean isIn(RunPlan plan) {
        return plan.hosts().getFirst().seed() % 3 != 0;
    }

    /** Starts the host before the faults are armed. */
    void begin() {
        var hosts = processes.hosts(HostKind.C);
        hosts.send("host run=%d number=%d kind=C seed=%d timeout=%d ending=RESIDENT workers=%s"
                .formatted(
                        plan.run(),
                        NUMBER,
                        plan.run(),
                        MachineLoad.scale(TIMEOUT).toMillis(),
                        WORKER.formatted(Planner.RESIDENT)));
        hosts.send("go");
        if (!isDone(await('h'))) {
            observed.afterwards.add("before any fault, a host was not served: " + lastReport);
            return;
        }
        var workers = ProcessInfo.workers(processes.service().id());
        if (workers.size() == 1) {
            observed.residentWorker = workers.getFirst();
            descriptors = ProcessInfo.descriptors(observed.residentWorker).size();
            rings = ProcessInfo.mappings(observed.residentWorker, RINGS);
            memory = ProcessInfo.memory(observed.residentWorker);
        }
    }

    /** Checks the worker after the other hosts have ended, submits further commands and ends the host. */
    void finish() {
        if (observed.exited.isEmpty() && !observed.overdue && !ended && !mayBeDisconnected()) {
            var before = observed.afterwards.size();
            checkAgain();
            if (mayBeDisconnected()) { // by a fault that occurred while the faults were disarmed
                observed.afterwards.subList(before, observed.afterwards.size()).clear();
            }
        }
        if (!ended) {
            send('e');
            await('e');
        }
        if (ended && !idle && observed.exited.isEmpty() && !mayBeDisconnected()) {
            observed.afterwards.add("after the run, a context of a host without faults did not become idle");
        }
    }

    private void checkAgain() {
        checkWorker();
        send('p');
        if (!isDone(await('p'))) {
            observed.afterwards.add("after the run, without faults, a host was not served: " + lastReport);
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
        return words.filter(line -> line.number("ok") == 1).isPresent();
    }

    /** Waits for the report of a command; returns empty after a timeout or if the host exited. */
    private Optional<KeyValueLine> await(char command) {
        var end = System.nanoTime() + MachineLoad.scale(TIMEOUT).toNanos() * ATTEMPTS;
        while (!ended && observed.exited.isEmpty() && System.nanoTime() < end) {
            processes.resumeStopped();
            var line = processes.next(PAUSE);
            if (line == null) {
                continue;
            }
            var words = KeyValueLine.parse(line);
            if (words.verb().equals("resident")) {
                lastReport = line;
                observed.addEvent(line);
                if (words.text("command").charAt(0) == command) {
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

    /** Checks that the worker has released all resources of the other hosts. */
    private void checkWorker() {
        var end = System.nanoTime() + MachineLoad.scale(TIMEOUT).toNanos();
        var found = leaks();
        while (!found.isEmpty() && System.nanoTime() < end) {
            processes.resumeStopped();
            LockSupport.parkNanos(PAUSE.toNanos());
            found = leaks();
        }
        found.forEach(leak -> observed.afterwards.add("left over: in the shared worker: " + leak));
    }

    private List<String> leaks() {
        if (observed.residentWorker == 0 || !ProcessInfo.isRunning(observed.residentWorker)) {
            return List.of();
        }
        var now = ProcessInfo.descriptors(observed.residentWorker);
        var mapped = ProcessInfo.mappings(observed.residentWorker, RINGS);
        if (now.size() > descriptors) {
            return List.of(now.size() + " descriptors instead of " + descriptors + ", " + Leftovers.counted(now));
        }
        if (mapped > rings) {
            return List.of(mapped + " mapped ring segments instead of " + rings);
        }
        var grown = ProcessInfo.memory(observed.residentWorker) - memory;
        return grown > MAX_GROWTH ? List.of("memory of " + grown + " KiB") : commandsLeft();
    }

    /** Returns the commands in flight according to the counters of the worker, of which there must be none. */
    private List<String> commandsLeft() {
        var process = RunningProcess.of(observed.residentWorker);
        if (process.isEmpty()) {
            return List.of();
        }
        try {
            var inFlight = CounterFile.ofWorker(
                            new CountedWorker(
                                    0, observed.residentWorker, process.get().start()),
                            process.get().userId())
                    .value(Counter.WORKER_IN_FLIGHT);
            return inFlight == 0 ? List.of() : List.of(inFlight + " commands of exited hosts");
        } catch (NoSuchFileException e) {
            return List.of(); // a fault prevented the creation of the counters
        } catch (IOException e) {
            return ProcessInfo.isRunning(observed.residentWorker)
                    ? List.of("unreadable counters: " + e.getMessage())
                    : List.of();
        }
    }
}
